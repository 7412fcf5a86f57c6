import type { ReactNode } from 'react';
import styles from './Dial.module.css';

interface Props {
  /** Where the needle stands, 0 to 1; without it the needle searches up and down. */
  at?: number | undefined;
  /** How it is drawn: the scale of an instrument, or one quiet line under a field. */
  kind?: 'scale' | 'line';
  className?: string;
}

/** The one ornament of the site: a scale with a needle. It says nothing that is not also said in words. */
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
