import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../design/Button.tsx';
import chip from '../../items/chip.module.css';
import type { Item } from '../../items/item.ts';
import { ItemList } from '../../items/ItemList.tsx';
import { useWords } from '../../i18n/use-words.ts';
import type { Results } from './results.ts';
import styles from './Search.module.css';

/** As many per kind as leave room for the others. */
const FIRST = 9;

interface Props {
  results: Results;
  query: string;
  isWaiting: boolean;
}

/** The results: the genre of that name, then each kind under its heading. */
export function Found({ results, query, isWaiting }: Props): ReactNode {
  const { t } = useWords();
  const { genres, stations, shows, topics, songs } = results;
  return (
    <div className={styles['search']} data-query={query} aria-busy={isWaiting}>
      {genres.length > 0 && (
        <ul className={styles['genres']}>
          {genres.map(({ key, name, href = '/' }) => (
            <li key={key}>
              <Link href={href} className={chip['chip']}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <Part title={t('search.stations')} items={stations} />
      <Part title={t('search.songs')} items={songs} />
      <Part title={t('search.shows')} items={shows} />
      <Part title={t('search.topics')} items={topics} />
      <p className={styles['keys']}>{t('search.keys')}</p>
    </div>
  );
}

function Part({ title, items }: { title: string; items: readonly Item[] }): ReactNode {
  const { t } = useWords();
  const [isWhole, setIsWhole] = useState(false);
  if (items.length === 0) return null;
  return (
    <section className={styles['part']}>
      <h2>{title}</h2>
      <ItemList items={isWhole ? items : items.slice(0, FIRST)} areFirst />
      {!isWhole && items.length > FIRST && (
        <div>
          <Button onClick={() => setIsWhole(true)}>{t('search.all')}</Button>
        </div>
      )}
    </section>
  );
}
