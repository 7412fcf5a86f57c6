import { type ReactNode, useRef } from 'react';
import { useSearch } from 'wouter';
import type { FirstData } from '../../app/first-data.ts';
import { usePageTitle } from '../../app/title.ts';
import { Broken } from '../../design/Broken.tsx';
import { Empty } from '../../design/Empty.tsx';
import { Slow } from '../../design/Slow.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { chosenIn, isNarrowed } from '../../listing/filters.ts';
import { SuggestLink } from '../../listing/SuggestLink.tsx';
import { Found } from './Found.tsx';
import { countOf } from './results.ts';
import styles from './Search.module.css';
import { useArrowKeys } from './use-arrow-keys.ts';
import { prepareResults, useResults } from './use-results.ts';
import { Suggestions } from './Suggestions.tsx';

const queryOf = (search: string): string => (new URLSearchParams(search).get('q') ?? '').trim();

/** Updates while the listener types in the field above it. */
export default function Search(): ReactNode {
  const { t } = useWords();
  const search = useSearch();
  const query = queryOf(search);
  const results = useRef<HTMLDivElement>(null);
  useArrowKeys(results);
  usePageTitle(query === '' ? t('shell.searchButton') : query);
  return (
    <div className={styles['search']} ref={results}>
      {query === '' ? <Suggestions /> : <Answer query={query} search={search} />}
    </div>
  );
}

Search.first = (({ search }, language) => {
  const query = queryOf(search);
  return query === '' ? [] : prepareResults(query, chosenIn(search), language);
}) satisfies FirstData;

function Answer({ query, search }: { query: string; search: string }): ReactNode {
  const { t } = useWords();
  const chosen = chosenIn(search);
  const { results, listing, isWaiting, hasRest, error, again } = useResults(query, chosen);
  const count = results ? countOf(results, listing?.listed) : 0;
  // Filters may leave nothing of what was found; then they are what there is to change.
  const isAny = count > 0 || isNarrowed(chosen);
  const isEmpty = !isWaiting && error === undefined && !isAny;
  return (
    <>
      <h1 className={styles['title']}>{t('search.resultsFor', { query })}</h1>
      <p className="heard-only" role="status">
        {isWaiting || error !== undefined ? '' : t('search.count', { count })}
      </p>
      {error !== undefined && <Broken error={error} again={again} />}
      {results && isAny && (
        <Found
          results={results}
          listing={listing}
          query={query}
          isWaiting={isWaiting}
          hasRest={hasRest}
          onlyStations={isNarrowed(chosen) || new URLSearchParams(search).get('show') === 'stations'}
        />
      )}
      {isWaiting && count === 0 && <Slow />}
      {isEmpty && (
        <Empty title={t('search.nothing', { query })}>
          <p>{t('search.nothingText')}</p>
          <SuggestLink name={query} />
        </Empty>
      )}
    </>
  );
}
