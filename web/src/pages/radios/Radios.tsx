import type { ReactNode } from 'react';
import { usePageTitle } from '../../app/title.ts';
import { AccountNav } from '../../session/AccountNav.tsx';
import { SignedIn } from '../../session/SignedIn.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { OwnRadios } from './OwnRadios.tsx';
import styles from './Radios.module.css';

export default function Radios(): ReactNode {
  const { t } = useWords();
  usePageTitle(t('shell.radios'));
  return (
    <div className={styles['page']}>
      <AccountNav />
      <h1>{t('shell.radios')}</h1>
      <SignedIn why={t('radios.why')}>{({ username }) => <OwnRadios username={username} />}</SignedIn>
    </div>
  );
}
