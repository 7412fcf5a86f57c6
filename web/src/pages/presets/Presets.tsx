import type { ReactNode } from 'react';
import { usePageTitle } from '../../app/title.ts';
import { useSaved } from '../../saved/saved.ts';
import { AccountNav } from '../../session/AccountNav.tsx';
import { SignedIn } from '../../session/SignedIn.tsx';
import { useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import { BrowserPresets } from './BrowserPresets.tsx';
import { Heard } from './Heard.tsx';
import styles from './Presets.module.css';
import { PresetFolders } from './PresetFolders.tsx';

export default function Presets(): ReactNode {
  const { t } = useWords();
  usePageTitle(t('shell.presets'));
  const { account, error } = useSession();
  const { presets } = useSaved();
  // Presets are only here when nobody is signed in, also where that cannot be asked just now.
  const isUnknown = account === undefined && error !== undefined;
  const isHere = account === null || (isUnknown && presets.length > 0);
  return (
    <div className={styles['page']}>
      <AccountNav />
      <h1>{t('shell.presets')}</h1>
      {isHere ? (
        <BrowserPresets />
      ) : (
        <SignedIn why={t('presets.why')}>{({ username }) => <PresetFolders username={username} />}</SignedIn>
      )}
      <Heard />
    </div>
  );
}
