import type { ReactNode } from 'react';
import styles from './Disclosure.module.css';

/** Details that only some readers want, collapsed under a title. */
export function Disclosure({
  title,
  isOpen,
  children,
}: {
  title: ReactNode;
  isOpen?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <details className={styles['disclosure']} open={isOpen}>
      <summary>{title}</summary>
      <div className={styles['inside']}>{children}</div>
    </details>
  );
}
