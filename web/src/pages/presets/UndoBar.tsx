import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../design/Button.tsx';
import { Sign } from '../../design/Sign.tsx';
import type { Preset } from '../../session/calls/preset-calls.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Presets.module.css';

/** The preset that was removed last, and from where. */
export interface Removed {
  folderId: string;
  preset: Preset;
}

interface Props {
  removed: Removed;
  onUndo: () => void;
  onClose: () => void;
}

/** Stays until it is closed or another preset is removed: there is no hurry. */
export function UndoBar({ removed, onUndo, onClose }: Props): ReactNode {
  const { t } = useWords();
  const undo = useRef<HTMLButtonElement>(null);
  // The focused key is gone; keyboard users continue here.
  useEffect(() => undo.current?.focus({ preventScroll: true }), [removed]);
  return (
    <div className={styles['undo']} role="status">
      <span>{t('presets.removed', { name: removed.preset.name })}</span>
      <Button
        ref={undo}
        onClick={() => {
          onUndo();
          onClose();
        }}
      >
        {t('account.undo')}
      </Button>
      <Button kind="bare" isRound aria-label={t('shell.close')} onClick={onClose}>
        <Sign name="close" />
      </Button>
    </div>
  );
}
