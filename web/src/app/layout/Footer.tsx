import { type ReactNode, useEffect, useReducer } from 'react';
import { LANGUAGES, isLanguage } from '../../i18n/languages.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Footer.module.css';
import { type Theme, setTheme, useTheme } from '../theme.ts';

export function Footer(): ReactNode {
  const { t } = useWords();
  return (
    <footer className={styles['footer']}>
      <div className={styles['inside']}>
        <p>
          {t('shell.footer')} <a href="/Browse.ashx">{t('shell.forRadios')}</a>
        </p>
        <LanguageChoice />
        <ThemeChoice />
      </div>
    </footer>
  );
}

/** Thirty names in ten scripts, each with a font to be found: they wait until the page itself is seen. */
const ALL_AFTER_MS = 2000;

function LanguageChoice(): ReactNode {
  const { t, language, setLanguage } = useWords();
  const [isOpened, open] = useReducer(() => true, false);
  useEffect(() => {
    const timer = setTimeout(open, ALL_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const shown = Object.entries(LANGUAGES).filter(([tag]) => isOpened || tag === language);
  return (
    <label className={styles['choice']}>
      <span>{t('shell.language')}</span>
      <select
        className={styles['languages']}
        value={language}
        onFocus={open}
        onPointerEnter={open}
        onChange={({ target: { value } }) => isLanguage(value) && setLanguage(value)}
      >
        {shown.map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function ThemeChoice(): ReactNode {
  const { t } = useWords();
  const names: Readonly<Record<Theme, string>> = {
    system: t('shell.themeSystem'),
    light: t('shell.themeLight'),
    dark: t('shell.themeDark'),
  };
  return (
    <label className={styles['choice']}>
      <span>{t('shell.theme')}</span>
      <select value={useTheme()} onChange={({ target: { value } }) => isTheme(value) && setTheme(value)}>
        {Object.entries(names).map(([theme, name]) => (
          <option key={theme} value={theme}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

const isTheme = (text: string): text is Theme => text === 'system' || text === 'light' || text === 'dark';
