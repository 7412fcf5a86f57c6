import type { ReactNode } from 'react';
import { usePageTitle } from '../../app/title.ts';
import { AccountNav } from '../../session/AccountNav.tsx';
import { SignedIn } from '../../session/SignedIn.tsx';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Presets.module.css';
import { PresetFolders } from './PresetFolders.tsx';

export default function Presets(): ReactNode {
  const { t } = useWords();
  usePageTitle(t('shell.presets'));
  return (
    <div className={styles['page']}>
      <AccountNav />
      <h1>{t('shell.presets')}</h1>
      <SignedIn why={t('presets.why')}>{({ username }) => <PresetFolders username={username} />}</SignedIn>
    </div>
  );
}
