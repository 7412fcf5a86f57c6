import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../../design/Button.tsx';
import { Dialog } from '../../../design/Dialog.tsx';
import { linkTo } from '../../../directory/link-to.ts';
import type { Folder, Preset } from '../../../session/calls/preset-calls.ts';
import { useWords } from '../../../i18n/use-words.ts';
import styles from '../Presets.module.css';

interface Props {
  preset: Preset;
  /** The folders it can be moved to. */
  others: readonly Folder[];
  onClose: () => void;
  onRemove: () => void;
  onMove: (toFolderId: string) => void;
}

/** The other actions for one key. */
export function PresetDialog({ preset, others, onClose, onRemove, onMove }: Props): ReactNode {
  const { t } = useWords();
  const [to, setTo] = useState(others[0]?.id ?? '');
  const page = linkTo({ guideId: preset.guideId });
  const then = (action: () => void) => () => {
    onClose();
    action();
  };
  return (
    <Dialog
      title={preset.name}
      onClose={onClose}
      actions={
        <Button kind="grave" onClick={then(onRemove)}>
          {t('presets.remove')}
        </Button>
      }
    >
      <div className={styles['stack']}>
        <p className={styles['quiet']} dir="auto">
          {preset.subtext || preset.url}
        </p>
        {page && <Link href={page}>{t('presets.openPage')}</Link>}
        {others.length > 0 && (
          <div className={styles['choices']}>
            <label className={styles['label']}>
              {t('presets.otherFolder')}
              <select value={to} onChange={({ target }) => setTo(target.value)}>
                {others.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <Button onClick={then(() => onMove(to))}>{t('presets.moveThere')}</Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}
