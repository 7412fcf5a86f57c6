import type { ReactNode } from 'react';
import styles from './Wordmark.module.css';

/** The name with the needle through it: the dial in its shortest form. On a phone only the sign. */
export function Wordmark(): ReactNode {
  return (
    <span className={styles['mark']}>
      <svg aria-hidden="true" viewBox="0 0 32 32" width="32" height="32">
        <rect width="32" height="32" rx="8" fill="#1d1b18" />
        <path
          d="M6 22v-5M9.5 22v-3M13 22v-3M16.5 22v-5M20 22v-3M23.5 22v-3M26.5 22v-5"
          stroke="#8c8375"
          strokeWidth="1.2"
        />
        <path d="M19 7v15" stroke="#d9822b" strokeWidth="2.4" strokeLinecap="round" />
      </svg>
      <span>Longwave</span>
    </span>
  );
}
