import type { ReactNode } from 'react';
import { Button } from '../../design/Button.tsx';
import type { Folder } from '../../session/calls/preset-calls.ts';
import { useWords } from '../../i18n/use-words.ts';
import type { Asked } from './dialogs/PresetDialogs.tsx';
import styles from './Presets.module.css';

interface Props {
  folder: Folder;
  /** The only folder cannot be deleted. */
  isOnly: boolean;
  onAsk: (asked: Asked) => void;
}

/** Actions for a folder, and for all presets. */
export function PresetTools({ folder, isOnly, onAsk }: Props): ReactNode {
  const { t } = useWords();
  return (
    <div className={styles['tools']}>
      <Button onClick={() => onAsk({ kind: 'address' })}>{t('presets.addAddress')}</Button>
      <Button onClick={() => onAsk({ kind: 'import' })}>{t('presets.import')}</Button>
      <Button onClick={() => onAsk({ kind: 'export' })}>{t('presets.export')}</Button>
      <span className={styles['ofFolder']}>
        <Button kind="bare" onClick={() => onAsk({ kind: 'renameFolder' })}>
          {t('presets.renameFolder')}
        </Button>
        {!folder.isDefault && !isOnly && (
          <Button kind="bare" onClick={() => onAsk({ kind: 'removeFolder' })}>
            {t('presets.removeFolder')}
          </Button>
        )}
      </span>
    </div>
  );
}
