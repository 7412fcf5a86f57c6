import type { ReactNode } from 'react';
import styles from './Notice.module.css';

/** The outcome of an action. Screen readers read errors immediately, successes at the next pause. */
export function Notice({ kind, children }: { kind: 'well' | 'trouble'; children: ReactNode }): ReactNode {
  return (
    <p className={styles[kind]} role={kind === 'trouble' ? 'alert' : 'status'}>
      {children}
    </p>
  );
}
