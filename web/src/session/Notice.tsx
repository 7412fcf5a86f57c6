import type { ReactNode } from 'react';
import styles from './Notice.module.css';

/** A sentence on how something went. What went wrong is read out at once, what went well when there is a pause. */
export function Notice({ kind, children }: { kind: 'well' | 'trouble'; children: ReactNode }): ReactNode {
  return (
    <p className={styles[kind]} role={kind === 'trouble' ? 'alert' : 'status'}>
      {children}
    </p>
  );
}
