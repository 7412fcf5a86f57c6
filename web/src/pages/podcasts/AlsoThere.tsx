import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { signInFirst } from '../../session/next-page.ts';
import { useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Podcasts.module.css';

/** Where else this list is, or would be with an account. */
export function AlsoThere(): ReactNode {
  const { t } = useWords();
  const { account, door } = useSession();
  if (account)
    return (
      <aside className={styles['also']}>
        <p>{t('podcasts.appsText')}</p>
        <Link href="/settings">{t('podcasts.appsLink')}</Link>
      </aside>
    );
  if (account === undefined || door !== 'open') return null;
  return (
    <aside className={styles['also']}>
      <p>{t('podcasts.hereText')}</p>
      <Link href={signInFirst('/podcasts')}>{t('shell.signIn')}</Link>
      <Link href="/register?next=%2Fpodcasts">{t('account.makeOne')}</Link>
    </aside>
  );
}
