import type { ReactNode } from 'react';
import { changeAccount } from '../../session/account-calls.ts';
import { useSession } from '../../session/use-session.ts';
import { LANGUAGES, isLanguage } from '../../words/languages.ts';
import { useWords } from '../../words/use-words.ts';
import { Setting } from './Setting.tsx';

export function LanguageSetting(): ReactNode {
  const { t, language, setLanguage } = useWords();
  const { account } = useSession();
  const choose = (chosen: string): void => {
    if (!isLanguage(chosen)) return;
    setLanguage(chosen);
    // Here it holds at once and stays; that the account did not hear of it is no reason to disturb anybody.
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
