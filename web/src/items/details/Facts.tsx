import { Fragment, type ReactNode } from 'react';
import styles from './Facts.module.css';

/** Known facts in a line, separated by dots; unknown ones leave no gap. */
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
