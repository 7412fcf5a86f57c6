import { type ReactNode, useEffect, useState } from 'react';
import { useWords } from '../i18n/use-words.ts';
import { Dial } from './Dial.tsx';
import styles from './states.module.css';

/** Shorter waits show nothing; a flash of text is worse than none. */
const MAX_WAIT_MS = 250;

/** A loading indicator. */
export function Slow({ label }: { label?: string }): ReactNode {
  const { t } = useWords();
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={styles['state']} role="status" data-slow>
      {isLong && (
        <>
          <Dial className={styles['dial'] ?? ''} />
          <p>{label ?? t('state.slow')}</p>
        </>
      )}
    </div>
  );
}
