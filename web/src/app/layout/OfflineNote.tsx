import { type ReactNode, useSyncExternalStore } from 'react';
import { useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './OfflineNote.module.css';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Shown when there is no network, or the session could not be checked. */
export function OfflineNote(): ReactNode {
  const { t } = useWords();
  const { error } = useSession();
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const key = isOnline ? (error === undefined ? undefined : 'shell.sessionUnknown') : 'shell.offline';
  return (
    <div role="status" className={styles['note']} hidden={key === undefined}>
      {key !== undefined && t(key)}
    </div>
  );
}
