import type { ReactNode } from 'react';
import { Link, useRoute } from 'wouter';
import { Sign, type SignName } from '../../design/Sign.tsx';
import { NewCount } from '../../podcasts/NewCount.tsx';
import { useWords } from '../../i18n/use-words.ts';
import styles from './PhoneTabs.module.css';

/** The main pages, within reach of a thumb. */
export function PhoneTabs(): ReactNode {
  const { t } = useWords();
  return (
    <nav className={styles['tabs']} aria-label={t('shell.menu')}>
      <Place href="/" sign="home" label={t('shell.home')} />
      <Place href="/browse" sign="browse" label={t('shell.browse')} />
      <Place href="/map" sign="map" label={t('shell.map')} />
      <Place href="/podcasts" sign="podcasts" label={t('shell.podcasts')}>
        <NewCount />
      </Place>
      <Place href="/presets" sign="presets" label={t('shell.presets')} />
    </nav>
  );
}

interface Props {
  href: string;
  sign: SignName;
  label: string;
  children?: ReactNode;
}

function Place({ href, sign, label, children }: Props): ReactNode {
  const [isHere] = useRoute(href);
  return (
    <Link href={href} aria-current={isHere ? 'page' : undefined}>
      <Sign name={sign} />
      <span>{label}</span>
      {children}
    </Link>
  );
}
