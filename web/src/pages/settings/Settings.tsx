import type { ReactNode } from 'react';
import { usePageTitle } from '../../app/title.ts';
import { AccountNav } from '../../session/AccountNav.tsx';
import { SignedIn } from '../../session/SignedIn.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { AppearanceSetting } from './AppearanceSetting.tsx';
import { AppsSetting } from './AppsSetting.tsx';
import { DataSettings } from './DataSettings.tsx';
import { EmailSetting } from './EmailSetting.tsx';
import { LanguageSetting } from './LanguageSetting.tsx';
import { PasswordSetting } from './PasswordSetting.tsx';
import { PlaceSetting } from './PlaceSetting.tsx';
import { ReadingSetting } from './ReadingSetting.tsx';
import styles from './Settings.module.css';
import { SignOut } from './SignOut.tsx';
import { ZoneSetting } from './ZoneSetting.tsx';

/** Language and theme are for everybody; the rest belongs to the account. */
export default function Settings(): ReactNode {
  const { t } = useWords();
  usePageTitle(t('shell.settings'));
  return (
    <div className={styles['page']}>
      <AccountNav />
      <h1>{t('shell.settings')}</h1>
      <LanguageSetting />
      <AppearanceSetting />
      <SignedIn why={t('settings.why')}>
        {(account) => (
          <>
            <SignOut account={account} />
            <EmailSetting account={account} />
            <PasswordSetting account={account} />
            <PlaceSetting account={account} />
            <ZoneSetting account={account} />
            <ReadingSetting account={account} />
            <AppsSetting account={account} />
            <DataSettings account={account} />
          </>
        )}
      </SignedIn>
    </div>
  );
}
