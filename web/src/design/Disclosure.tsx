import type { ReactNode } from 'react';
import styles from './Disclosure.module.css';

/** What only some want to see, behind its title. */
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
