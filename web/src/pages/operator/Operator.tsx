import { type ReactNode, useEffect, useState } from 'react';
import { usePageTitle } from '../../app/title.ts';
import { Broken } from '../../design/Broken.tsx';
import { Empty } from '../../design/Empty.tsx';
import { Slow } from '../../design/Slow.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { AccountNav } from '../../session/AccountNav.tsx';
import { Notice } from '../../session/forms/Notice.tsx';
import { becomeOperator, findInstallation, type Installation } from '../../session/calls/operator-calls.ts';
import { SignedIn } from '../../session/SignedIn.tsx';
import { type SiteAccount, useSession } from '../../session/use-session.ts';
import { useSite } from '../../session/use-site.ts';
import { writeAgo } from '../radios/ago.ts';
import { HouseRadios } from './HouseRadios.tsx';
import { forgetLink, takeLink } from './link.ts';
import styles from './Operator.module.css';
import { Suggestions } from './Suggestions.tsx';

/** For who looks after the installation; the link that `longwave setup` prints leads here. */
export default function Operator(): ReactNode {
  const { t } = useWords();
  const [link, setLink] = useState(takeLink);
  usePageTitle(t('operator.title'));
  return (
    <div className={styles['page']}>
      <AccountNav />
      <h1>{t('operator.title')}</h1>
      <SignedIn why={t('operator.why')}>
        {(account) =>
          link === undefined ? (
            <Own account={account} />
          ) : (
            <Becoming token={link} done={() => setLink(undefined)} />
          )
        }
      </SignedIn>
    </div>
  );
}

function Own({ account }: { account: SiteAccount }): ReactNode {
  const { t } = useWords();
  if (account.isOperator) return <State />;
  return (
    <Empty title={t('operator.not')}>
      <p>{t('operator.notText')}</p>
    </Empty>
  );
}

/** Uses the link up. */
function Becoming({ token, done }: { token: string; done: () => void }): ReactNode {
  const { t } = useWords();
  const { refresh } = useSession();
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    forgetLink();
    const become = async (): Promise<void> => {
      try {
        await becomeOperator(token);
        await refresh();
        done();
      } catch {
        setIsOver(true);
      }
    };
    void become();
    // Once for each token: the link works once.
  }, [token]);
  return isOver ? <Notice kind="trouble">{t('operator.linkOver')}</Notice> : <Slow />;
}

function State(): ReactNode {
  const { value, error, again } = useSite('operator', findInstallation);
  if (error !== undefined) return <Broken error={error} again={again} />;
  if (!value) return <Slow />;
  return (
    <>
      <Facts installation={value} />
      <Suggestions />
      <HouseRadios radios={value.radios} />
    </>
  );
}

function Facts({ installation: { stations, home, sources } }: { installation: Installation }): ReactNode {
  const { t, language, locale } = useWords();
  const readAt = (at: string | null): string =>
    at === null ? t('operator.never') : writeAgo(at, { now: Date.now(), language });
  return (
    <dl className={styles['facts']}>
      <dt>{t('operator.stations')}</dt>
      <dd>{stations.toLocaleString(locale)}</dd>
      <dt>{t('operator.home')}</dt>
      <dd>
        <span dir="auto">{home?.place ?? t('operator.homeNone')}</span>
        {(home === null || home.isGuess) && <p>{t('operator.homeHint')}</p>}
      </dd>
      <dt>{t('operator.sources')}</dt>
      <dd>
        {sources.length === 0 && t('operator.noSources')}
        {sources.map(({ name, readAt: at, trouble }) => (
          <div key={name} data-trouble={trouble !== null || undefined}>
            {name}: {readAt(at)}
            {trouble !== null && <p>{trouble}</p>}
          </div>
        ))}
      </dd>
    </dl>
  );
}
