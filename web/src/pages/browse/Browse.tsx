import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { Link, useSearch } from 'wouter';
import { firstTitle } from '../../app/first-facts.ts';
import type { FirstData } from '../../app/first-data.ts';
import { usePageState } from '../../app/PageAddress.tsx';
import { usePageTitle } from '../../app/title.ts';
import { useWentBack } from '../../app/went-back.ts';
import { Sign } from '../../design/Sign.tsx';
import { menuUrl } from '../../items/ask-menu.ts';
import { ProtocolAddress } from '../../items/details/ProtocolAddress.tsx';
import { chosenIn } from '../../listing/filters.ts';
import { prepareListing } from '../../listing/use-listing.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Browse.module.css';
import { Column } from './Column.tsx';
import { addressOf, cameThrough, columnsTo, queryOf } from './columns.ts';
import { listedIn } from './listed-in.ts';
import { prepareMenu, useMenu } from './use-menu.ts';

/** The menu tree that radios show: columns side by side where there is room, one at a time where there is not. */
export default function Browse(): ReactNode {
  const { t, language } = useWords();
  const query = queryOf(useSearch());
  const columns = columnsTo(query, usePageState());
  const { value, isWaiting } = useMenu(query);
  const title = query === '' ? t('shell.browse') : (value?.title ?? (isWaiting ? firstTitle() : undefined));
  usePageTitle(title ?? t('shell.browse'));
  useTopOfNewMenu(query);
  const parent = columns.length > 1 ? columns.at(-2) : undefined;
  return (
    <div className={styles['browse']}>
      {parent !== undefined && (
        <Link
          href={addressOf(parent)}
          state={cameThrough(columns, columns.length - 3)}
          className={styles['back'] ?? ''}
        >
          <Sign name="next" size={16} />
          {t('browse.back')}
        </Link>
      )}
      <div className={styles['head']}>
        <h1>{title ?? (isWaiting ? '…' : t('shell.browse'))}</h1>
        <ProtocolAddress
          address={menuUrl('/Browse.ashx', Object.fromEntries(new URLSearchParams(query)), language)}
        />
      </div>
      <Columns columns={columns} />
    </div>
  );
}

Browse.first = (({ search }, language) => {
  const query = queryOf(search);
  const groups = listedIn(query);
  const menu = prepareMenu(query, language);
  return groups === undefined ? [menu] : [menu, prepareListing({ in: groups }, chosenIn(search), language)];
}) satisfies FirstData;

/** Another menu starts at its top; another filter does not move the page, and going back restores the position. */
function useTopOfNewMenu(query: string): void {
  const last = useRef(query);
  const isBack = useWentBack();
  useLayoutEffect(() => {
    if (last.current === query) return;
    last.current = query;
    if (!isBack.current) scrollTo({ top: 0 });
    isBack.current = false;
  }, [query, isBack]);
}

function Columns({ columns }: { columns: readonly string[] }): ReactNode {
  const row = useRef<HTMLDivElement>(null);
  const last = columns.at(-1);
  useEffect(() => {
    const { current } = row;
    current?.scrollTo({ left: (document.dir === 'rtl' ? -1 : 1) * current.scrollWidth });
  }, [last, columns.length]);
  return (
    <div ref={row} className={styles['columns']}>
      {columns.map((query, at) => (
        <Column
          key={query}
          query={query}
          isLast={at === columns.length - 1}
          here={at < columns.length - 1 ? addressOf(columns[at + 1] ?? '') : undefined}
          linkState={cameThrough(columns, at)}
        />
      ))}
    </div>
  );
}
