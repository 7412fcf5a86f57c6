import type { ReactNode } from 'react';
import { Button } from '../../design/Button.tsx';
import type { Folder } from '../../session/preset-calls.ts';
import { useWords } from '../../words/use-words.ts';
import type { Asked } from './PresetDialogs.tsx';
import styles from './Presets.module.css';

interface Props {
  folder: Folder;
  /** The only folder there is cannot be taken away. */
  isOnly: boolean;
  onAsk: (asked: Asked) => void;
}

/** What can be done with a folder, and with all presets. */
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
