import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { Broken } from '../design/Broken.tsx';
import { Empty } from '../design/Empty.tsx';
import { Slow } from '../design/Slow.tsx';
import { useWords } from '../i18n/use-words.ts';
import { AccountsUnavailable } from './AccountsUnavailable.tsx';
import { signInFirst } from './next-page.ts';
import styles from './SignedIn.module.css';
import { type SiteAccount, useSession } from './use-session.ts';

interface Props {
  /** What this page is for, shown to those who are not signed in. */
  why: string;
  children: (account: SiteAccount) => ReactNode;
}

/** Content for signed-in listeners; everybody else sees what it is and how to get it. */
export function SignedIn({ why, children }: Props): ReactNode {
  const { t } = useWords();
  const { account, door, error, refresh } = useSession();
  const [path] = useLocation();
  if (account === undefined && error !== undefined)
    return <Broken error={error} again={() => void refresh()} />;
  if (account === undefined) return <Slow />;
  if (account) return children(account);
  if (door !== 'open') return <AccountsUnavailable />;
  return (
    <Empty title={t('account.needed')}>
      <p>{why}</p>
      <p className={styles['ways']}>
        <Link href={signInFirst(path)} className={styles['main'] ?? ''}>
          {t('shell.signIn')}
        </Link>
        <Link href={`/register?next=${encodeURIComponent(path)}`}>{t('account.makeOne')}</Link>
      </p>
    </Empty>
  );
}
