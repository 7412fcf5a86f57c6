import type { ReactNode } from 'react';
import { Link, useRoute } from 'wouter';
import { useWords } from '../i18n/use-words.ts';
import styles from './AccountNav.module.css';
import { useSession } from './use-session.ts';

/** Links to the pages of the account. */
export function AccountNav(): ReactNode {
  const { t } = useWords();
  const { account } = useSession();
  return (
    <nav className={styles['nav']} aria-label={t('account.yours')}>
      <Own href="/presets">{t('shell.presets')}</Own>
      <Own href="/radios">{t('shell.radios')}</Own>
      <Own href="/settings">{t('shell.settings')}</Own>
      {account?.isOperator && <Own href="/operator">{t('operator.title')}</Own>}
    </nav>
  );
}

function Own({ href, children }: { href: string; children: ReactNode }): ReactNode {
  const [isHere] = useRoute(href);
  return (
    <Link href={href} aria-current={isHere ? 'page' : undefined}>
      {children}
    </Link>
  );
}
