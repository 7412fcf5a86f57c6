import { type ReactNode, useEffect, useState } from 'react';
import { useWords } from '../words/use-words.ts';
import { Dial } from './Dial.tsx';
import styles from './states.module.css';

/** Shorter waits are not worth a word; a flash of one is worse than none. */
const PATIENCE_MS = 250;

/** Something is on its way. */
export function Slow({ label }: { label?: string }): ReactNode {
  const { t } = useWords();
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), PATIENCE_MS);
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
