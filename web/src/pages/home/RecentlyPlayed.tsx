import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { ItemList } from '../../items/lists/ItemList.tsx';
import { playedItem } from '../../saved/as-items.ts';
import { useSaved } from '../../saved/saved.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Home.module.css';

const SHOWN = 6;

/** What was heard last in this browser; the page of presets has all of it. */
export function RecentlyPlayed(): ReactNode {
  const { t } = useWords();
  const { played } = useSaved();
  if (played.length === 0) return null;
  return (
    <section className={styles['part']}>
      <div className={styles['head']}>
        <h2>{t('home.played')}</h2>
        <Link href="/presets" className={styles['all'] ?? ''}>
          {t('home.all')}
        </Link>
      </div>
      <ItemList items={played.slice(0, SHOWN).map(playedItem)} />
    </section>
  );
}
