import type { ReactNode } from 'react';
import { type Theme, setTheme, useTheme } from '../../app/theme.ts';
import type { MessageKey } from '../../i18n/messages.ts';
import { useWords } from '../../i18n/use-words.ts';
import { Setting } from './Setting.tsx';
import styles from './Settings.module.css';

const THEMES: readonly (readonly [Theme, MessageKey])[] = [
  ['system', 'shell.themeSystem'],
  ['light', 'shell.themeLight'],
  ['dark', 'shell.themeDark'],
];

export function AppearanceSetting(): ReactNode {
  const { t } = useWords();
  const theme = useTheme();
  return (
    <Setting title={t('shell.theme')}>
      <fieldset className={styles['themes']}>
        <legend className="heard-only">{t('shell.theme')}</legend>
        {THEMES.map(([value, word]) => (
          <label key={value}>
            <input type="radio" name="theme" checked={theme === value} onChange={() => setTheme(value)} />
            {t(word)}
          </label>
        ))}
      </fieldset>
    </Setting>
  );
}
