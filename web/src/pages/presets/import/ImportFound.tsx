import type { ReactNode } from 'react';
import type { ImportPreview } from './import-calls.ts';
import { useWords } from '../../../i18n/use-words.ts';
import styles from '../Presets.module.css';

/** The recognised and the unrecognised entries of a list. */
export function ImportFound({ found: { preview, unmatched } }: { found: ImportPreview }): ReactNode {
  const { t } = useWords();
  const shown = preview.map(({ name, folder, by }) => ({
    name,
    note: [folder, by === 'kept' ? t('presets.importKept') : ''].filter(Boolean).join(' · '),
  }));
  return (
    <div className={styles['stack']}>
      <p role="status">{t('presets.importFound', { count: preview.length })}</p>
      {shown.length > 0 && <Names names={shown} label={t('presets.importWill')} />}
      {unmatched.length > 0 && (
        <>
          <p>{t('presets.importUnmatched', { count: unmatched.length })}</p>
          <Names
            names={unmatched.map(({ name, address }) => ({ name: name || address, note: name && address }))}
            label={t('presets.importUnmatchedLabel')}
          />
        </>
      )}
    </div>
  );
}

interface NamesProps {
  names: readonly { name: string; note: string }[];
  label: string;
}

/** It scrolls, so it must be focusable: otherwise keyboard users cannot reach its end. */
function Names({ names, label }: NamesProps): ReactNode {
  return (
    <div className={styles['found']} tabIndex={0} role="region" aria-label={label}>
      <ul>
        {names.map(({ name, note }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a list may name the same station twice
          <li key={at}>
            <span dir="auto">{name}</span>
            {note && (
              <span className={styles['note']} dir="auto">
                {note}
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
