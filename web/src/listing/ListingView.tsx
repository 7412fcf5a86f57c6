import { type ReactNode, useEffect, useRef } from 'react';
import { Broken } from '../design/Broken.tsx';
import { Button } from '../design/Button.tsx';
import { Empty } from '../design/Empty.tsx';
import { ItemList } from '../items/lists/ItemList.tsx';
import { SlowList } from '../items/lists/SlowList.tsx';
import { useWords } from '../i18n/use-words.ts';
import { FilterBar } from './FilterBar.tsx';
import styles from './Listing.module.css';
import { useKeptPosition } from './use-kept-position.ts';
import type { Listing } from './use-listing.ts';

interface Props {
  listing: Listing;
  /** For links to networks: the path to them. */
  linkState?: object | undefined;
  /** What to do about an empty list. */
  children?: ReactNode;
}

const ROWS_ON_THEIR_WAY = 12;

/** Stations with their filters, how many there are, and a button for the next page. */
export function ListingView({ listing, linkState, children }: Props): ReactNode {
  const { t } = useWords();
  const { listed, isWaiting, error, again, more, isMoreWaiting, hasMoreFailed, newFrom } = listing;
  const list = useRef<HTMLUListElement>(null);
  useKeptPosition(JSON.stringify([listing.listable, listing.chosen]));
  useEffect(() => {
    // Keyboard users continue with the first new row, even where the button is gone.
    const row = newFrom === undefined ? undefined : list.current?.children[newFrom];
    row?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
  }, [newFrom]);
  if (error !== undefined) return <Broken error={error} again={again} />;
  if (!listed) return <SlowList rows={ROWS_ON_THEIR_WAY} />;
  return (
    <div className={styles['listing']}>
      <FilterBar listing={listing} />
      <Count listing={listing} />
      <div className={styles['rows']} aria-busy={isWaiting}>
        {listed.total === 0 ? (
          <Empty title={t('list.nothing')}>{children}</Empty>
        ) : (
          <ItemList ref={list} items={listed.items} linkState={linkState} areFirst />
        )}
      </div>
      {hasMoreFailed && <p role="alert">{t('items.moreFailed')}</p>}
      {more && (
        <Button className={styles['more'] ?? ''} aria-busy={isMoreWaiting} onClick={more}>
          {isMoreWaiting ? t('state.slow') : t('items.more')}
        </Button>
      )}
    </div>
  );
}

/** Said again to those who do not see it whenever it changes. */
function Count({ listing: { listed, isWaiting } }: { listing: Listing }): ReactNode {
  const { t } = useWords();
  if (!listed) return null;
  const count = listed.total;
  return (
    <p className={styles['count']} role="status">
      {isWaiting ? '…' : t(listed.isWhole ? 'list.count' : 'list.countBest', { count })}
    </p>
  );
}
