import type { ChangeEvent, ReactNode } from 'react';
import type { ImportText } from './import-calls.ts';
import { useWords } from '../../../i18n/use-words.ts';
import { MAX_BYTES, formatOf, textOf } from './import-file.ts';
import styles from '../Presets.module.css';

interface Props {
  source: ImportText;
  onChange: (source: ImportText) => void;
}

/** A file, or text pasted from one. */
export function ImportSource({ source, onChange }: Props): ReactNode {
  const { t } = useWords();
  const read = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [file] = target.files ?? [];
    if (!file) return;
    // One byte more than fits is enough to detect that it is too long.
    const start = await file.slice(0, MAX_BYTES + 1).arrayBuffer();
    onChange({ text: textOf(new Uint8Array(start)), format: formatOf(file.name) });
  };
  return (
    <div className={styles['stack']}>
      <p className={styles['quiet']}>{t('presets.importHow')}</p>
      <label className={styles['label']}>
        {t('presets.importFile')}
        <input
          type="file"
          accept=".opml,.xml,.m3u,.m3u8,.pls,.csv,.json,.yml,.yaml,.ini,.txt"
          onChange={(event) => void read(event)}
        />
      </label>
      <label className={styles['label']}>
        {t('presets.importPaste')}
        <textarea
          value={source.text}
          spellCheck={false}
          onChange={({ target }) => onChange({ text: target.value })}
        />
      </label>
    </div>
  );
}
