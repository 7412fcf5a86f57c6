import { Fragment, type ReactNode } from 'react';
import styles from './Facts.module.css';

/** What is known in a line, parted by dots; what is not known leaves no gap. */
export function Facts({ facts }: { facts: readonly ReactNode[] }): ReactNode {
  const known = facts.filter((fact) => fact !== undefined && fact !== null && fact !== '' && fact !== false);
  if (known.length === 0) return null;
  return (
    <p className={styles['facts']}>
      {known.map((fact, at) => (
        <Fragment key={at}>
          {at > 0 && <span aria-hidden="true"> · </span>}
          <bdi>{fact}</bdi>
        </Fragment>
      ))}
    </p>
  );
}
