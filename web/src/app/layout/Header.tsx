import type { ReactNode } from 'react';
import { Link, useRoute } from 'wouter';
import { Sign } from '../../design/Sign.tsx';
import { useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Header.module.css';
import { NewCount } from '../../podcasts/NewCount.tsx';
import { SearchField } from './SearchField.tsx';
import { Wordmark } from './Wordmark.tsx';

export function Header(): ReactNode {
  const { t } = useWords();
  return (
    <header className={styles['header']}>
      <div className={styles['inside']}>
        <Link href="/" className={styles['home'] ?? ''} aria-label={t('shell.name')}>
          <Wordmark />
        </Link>
        <SearchField />
        <nav className={styles['nav']} aria-label={t('shell.menu')}>
          <Place href="/browse">{t('shell.browse')}</Place>
          <Place href="/map">{t('shell.map')}</Place>
          <Place href="/podcasts">
            {t('shell.podcasts')}
            <NewCount />
          </Place>
          <Place href="/presets">{t('shell.presets')}</Place>
        </nav>
        <Me />
      </div>
    </header>
  );
}

function Place({ href, children }: { href: string; children: ReactNode }): ReactNode {
  const [isHere] = useRoute(href);
  return (
    <Link href={href} aria-current={isHere ? 'page' : undefined}>
      {children}
    </Link>
  );
}

/** The user name links to the settings, where everything about the account is. */
function Me(): ReactNode {
  const { t } = useWords();
  const { account } = useSession();
  return (
    <Link
      href={account ? '/settings' : '/sign-in'}
      className={styles['me'] ?? ''}
      aria-label={account ? `${account.username}: ${t('shell.settings')}` : t('shell.signIn')}
    >
      <Sign name="person" />
      <span aria-hidden="true">{account ? account.username : t('shell.signIn')}</span>
    </Link>
  );
}
