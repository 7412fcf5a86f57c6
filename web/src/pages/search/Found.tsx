import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../design/Button.tsx';
import { Sign } from '../../design/Sign.tsx';
import chip from '../../items/chip.module.css';
import type { Item } from '../../items/item.ts';
import { ItemList } from '../../items/lists/ItemList.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { FilterBar } from '../../listing/FilterBar.tsx';
import { ListingView } from '../../listing/ListingView.tsx';
import { SuggestLink } from '../../listing/SuggestLink.tsx';
import type { Listing } from '../../listing/use-listing.ts';
import type { Results } from './results.ts';
import styles from './Search.module.css';

/** As many per kind as leave room for the others. */
const FIRST = 9;

interface Props {
  results: Results;
  listing: Listing | undefined;
  query: string;
  isWaiting: boolean;
  hasRest: boolean;
  /** All that was found of them, in pages, and nothing else. */
  onlyStations: boolean;
}

/** The results: the genre of that name, then each kind under its heading. */
export function Found({ results, listing, query, isWaiting, hasRest, onlyStations }: Props): ReactNode {
  const { t } = useWords();
  const { genres, stations, shows, topics, songs } = results;
  if (onlyStations && listing)
    return (
      <div className={styles['search']} data-query={query} aria-busy={isWaiting}>
        <Link href={searchAddress(query)} className={styles['back']}>
          <Sign name="next" size={16} />
          {t('search.everything')}
        </Link>
        <section className={styles['part']}>
          <h2>{t('search.stations')}</h2>
          <ListingView listing={listing} />
        </section>
      </div>
    );
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
      <Stations items={stations} listing={listing} query={query} />
      <Part title={t('search.songs')} items={songs} />
      <Part title={t('search.shows')} items={shows} />
      <Part title={t('search.topics')} items={topics} />
      {hasRest && (
        <>
          <SuggestLink name={query} />
          <p className={styles['keys']}>{t('search.keys')}</p>
        </>
      )}
    </div>
  );
}

interface StationsProps {
  items: readonly Item[];
  /** Undefined while somebody types on, where what is left of the last answer is shown. */
  listing: Listing | undefined;
  query: string;
}

/** The first stations, with a link to all of them. */
function Stations({ items, listing, query }: StationsProps): ReactNode {
  const { t } = useWords();
  if (items.length === 0) return null;
  const total = listing?.listed?.total ?? items.length;
  return (
    <section className={styles['part']}>
      <h2>{t('search.stations')}</h2>
      {listing && <FilterBar listing={listing} />}
      <ItemList items={items.slice(0, FIRST)} areFirst />
      {listing && total > FIRST && (
        <Link href={`${searchAddress(query)}&show=stations`} className={styles['all']}>
          {t('list.showAll', { count: total })}
        </Link>
      )}
    </section>
  );
}

const searchAddress = (query: string): string => `/search?${new URLSearchParams({ q: query }).toString()}`;

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
