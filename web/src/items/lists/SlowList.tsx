import type { ReactNode } from 'react';
import list from './ItemList.module.css';
import styles from './SlowList.module.css';

/** As many empty rows as are on their way, each as high as it will be: nothing moves when they come. */
export function SlowList({ rows, shape = 'grid' }: { rows: number; shape?: 'grid' | 'column' }): ReactNode {
  return (
    <div className={list[shape]} aria-busy data-slow>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} className={styles['row']}>
          <span className={styles['logo']} />
          <span className={styles['words']} />
        </div>
      ))}
    </div>
  );
}
