import { type ReactNode, useSyncExternalStore } from 'react';
import { useWords } from '../words/use-words.ts';
import styles from './OfflineNote.module.css';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

export function OfflineNote(): ReactNode {
  const { t } = useWords();
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status" className={styles['note']} hidden={isOnline}>
      {!isOnline && t('shell.offline')}
    </div>
  );
}
