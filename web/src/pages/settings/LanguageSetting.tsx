import type { ReactNode } from 'react';
import { changeAccount } from '../../session/calls/account-calls.ts';
import { useSession } from '../../session/use-session.ts';
import { LANGUAGES, isLanguage } from '../../i18n/languages.ts';
import { useWords } from '../../i18n/use-words.ts';
import { Setting } from './Setting.tsx';

export function LanguageSetting(): ReactNode {
  const { t, language, setLanguage } = useWords();
  const { account } = useSession();
  const choose = (chosen: string): void => {
    if (!isLanguage(chosen)) return;
    setLanguage(chosen);
    // The choice is already in force here; a failure to save it in the account is not worth an error.
    if (account) changeAccount({ language: chosen }).catch(() => {});
  };
  return (
    <Setting title={t('shell.language')} text={t('settings.languageText')}>
      <select
        aria-label={t('shell.language')}
        value={language}
        onChange={({ target }) => choose(target.value)}
      >
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </Setting>
  );
}
