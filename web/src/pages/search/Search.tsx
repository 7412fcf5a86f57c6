import { type ReactNode, useRef } from 'react';
import { useSearch } from 'wouter';
import { usePageTitle } from '../../app/title.ts';
import { Broken } from '../../design/Broken.tsx';
import { Empty } from '../../design/Empty.tsx';
import { Slow } from '../../design/Slow.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { Found } from './Found.tsx';
import { countOf } from './results.ts';
import styles from './Search.module.css';
import { useArrowKeys } from './use-arrow-keys.ts';
import { useResults } from './use-results.ts';
import { Suggestions } from './Suggestions.tsx';

/** Updates while the listener types in the field above it. */
export default function Search(): ReactNode {
  const { t } = useWords();
  const query = (new URLSearchParams(useSearch()).get('q') ?? '').trim();
  const results = useRef<HTMLDivElement>(null);
  useArrowKeys(results);
  usePageTitle(query === '' ? t('shell.searchButton') : query);
  return (
    <div className={styles['search']} ref={results}>
      {query === '' ? <Suggestions /> : <Answer query={query} />}
    </div>
  );
}

function Answer({ query }: { query: string }): ReactNode {
  const { t } = useWords();
  const { results, isWaiting, error, again } = useResults(query);
  const count = results ? countOf(results) : 0;
  const isEmpty = !isWaiting && error === undefined && count === 0;
  return (
    <>
      <h1 className={styles['title']}>{t('search.resultsFor', { query })}</h1>
      <p className="heard-only" role="status">
        {isWaiting || error !== undefined ? '' : t('search.count', { count })}
      </p>
      {error !== undefined && <Broken error={error} again={again} />}
      {results && count > 0 && <Found results={results} query={query} isWaiting={isWaiting} />}
      {isWaiting && count === 0 && <Slow />}
      {isEmpty && (
        <Empty title={t('search.nothing', { query })}>
          <p>{t('search.nothingText')}</p>
        </Empty>
      )}
    </>
  );
}
