import type { ComponentProps, ReactNode } from 'react';
import styles from './Button.module.css';

interface Props extends ComponentProps<'button'> {
  /** `main` is the primary action; `plain` any other; `bare` has no frame; `grave` deletes something. */
  kind?: 'main' | 'plain' | 'bare' | 'grave';
  /** Round, for a single icon; give it an `aria-label`. */
  isRound?: boolean;
}

export function Button({
  kind = 'plain',
  isRound = false,
  className = '',
  type = 'button',
  ...rest
}: Props): ReactNode {
  return (
    <button
      {...rest}
      type={type}
      className={`${styles['button']} ${styles[kind]} ${isRound ? styles['round'] : ''} ${className}`}
    />
  );
}
