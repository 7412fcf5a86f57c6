import type { ReactNode } from 'react';
import { Dial } from './Dial.tsx';
import { Heading, type Level } from './Heading.tsx';
import styles from './states.module.css';

/** An empty list: says so, and what to do about it. */
export function Empty({
  title,
  level = 2,
  children,
}: {
  title: string;
  level?: Level;
  children?: ReactNode;
}): ReactNode {
  return (
    <div className={styles['state']}>
      <Dial at={0.5} className={styles['dial'] ?? ''} />
      <Heading level={level}>{title}</Heading>
      {children}
    </div>
  );
}
