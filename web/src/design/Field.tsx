import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './Field.module.css';

interface Props extends Omit<ComponentProps<'input'>, 'id'> {
  label: string;
  /** Help for filling it in. */
  hint?: ReactNode;
  /** What is wrong with it, and what to do. */
  fault?: string | undefined;
}

/** A form field with its label above, its hint and its error below. */
export function Field({ label, hint, fault, className = '', ...rest }: Props): ReactNode {
  const id = useId();
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div className={`${styles['field']} ${className}`} data-fault={fault ? true : undefined}>
      <label htmlFor={id}>{label}</label>
      <input
        {...rest}
        id={id}
        aria-invalid={fault ? true : undefined}
        aria-describedby={described || undefined}
      />
      {hint && (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      )}
      {fault && (
        <p id={`${id}-fault`} className={styles['fault']} role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}
