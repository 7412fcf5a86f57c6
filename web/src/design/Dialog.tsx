import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useWords } from '../i18n/use-words.ts';
import { Button } from './Button.tsx';
import styles from './Dialog.module.css';
import { Sign } from './Sign.tsx';

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Its buttons, at the end. */
  actions?: ReactNode;
  /** The whole window on a phone. */
  isWhole?: boolean;
}

/** The browser's own dialog: it traps the focus, restores it, and closes on Escape. Shown as long as it is rendered. */
export function Dialog({ title, onClose, children, actions, isWhole = false }: Props): ReactNode {
  const { t } = useWords();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const isPressedBeside = useRef(false);
  // Closed before it is gone from the page: only then does the browser give the focus back.
  useLayoutEffect(() => {
    const shown = dialog.current;
    if (shown && !shown.open) shown.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`${styles['dialog']} ${isWhole ? styles['whole'] : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        isPressedBeside.current = event.target === dialog.current;
      }}
      onClick={(event) => {
        // Text that is selected past the edge ends in a click beside it too.
        if (event.target === dialog.current && isPressedBeside.current) onClose();
      }}
    >
      <div className={styles['inside']}>
        <header>
          <h2 id={id}>{title}</h2>
          <Button kind="bare" isRound aria-label={t('shell.close')} onClick={onClose}>
            <Sign name="close" />
          </Button>
        </header>
        {children}
        {actions && <footer>{actions}</footer>}
      </div>
    </dialog>
  );
}
