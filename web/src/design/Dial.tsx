import type { ReactNode } from 'react';
import styles from './Dial.module.css';

interface Props {
  /** The needle's position, 0 to 1; without it the needle moves to and fro. */
  at?: number | undefined;
  /** A full scale, or one thin line under a field. */
  kind?: 'scale' | 'line';
  className?: string;
}

/** The one ornament of the site: a scale with a needle. Everything it shows is also said in words. */
export function Dial({ at, kind = 'scale', className = '' }: Props): ReactNode {
  const place = at === undefined ? undefined : Math.min(1, Math.max(0, at));
  return (
    <div
      aria-hidden="true"
      className={`${styles[kind]} ${className}`}
      data-searching={place === undefined || undefined}
    >
      <span className={styles['track']}>
        <span
          className={styles['needle']}
          style={place === undefined ? undefined : { ['--at' as string]: place }}
        />
      </span>
    </div>
  );
}
