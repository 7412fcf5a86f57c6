import { useEffect, useMemo, useRef, useState } from 'react';
import { useAnswer } from '../../directory/use-answer.ts';
import { askMenu } from '../../items/ask-menu.ts';
import { useWords } from '../../i18n/use-words.ts';
import type { Chosen } from '../../listing/filters.ts';
import { type Listing, useListing } from '../../listing/use-listing.ts';
import { type Results, narrowed, resultsOf } from './results.ts';

/** Short enough to feel immediate, and long enough to save calls while typing. */
const PAUSE_MS = 120;

export interface Searched {
  /** Undefined until there is something to show. */
  results: Results | undefined;
  /** The stations in pages; undefined while the words are others, and where the directory did not list them. */
  listing: Listing | undefined;
  isWaiting: boolean;
  error: unknown;
  again: () => void;
}

/**
 * The results for these words. While they are typed, results that no longer match vanish immediately and the rest
 * stays.
 */
export function useResults(query: string, chosen: Chosen): Searched {
  const { language } = useWords();
  const asked = usePaused(query);
  const key = asked === '' ? undefined : asked;
  const named = (kind: string): string | undefined => key && `search ${kind} ${key}`;
  const found = useAnswer(named('all'), (directory, call) => directory.search.find(asked, {}, call));
  const topics = useAnswer(
    named('topics'),
    askMenu('/Search.ashx', { query: asked, filter: 'p:topic' }, language),
  );
  const songs = useAnswer(named('songs'), (directory, call) => directory.search.bySong(asked, call));
  const listing = useListing(key === undefined ? undefined : { q: key }, chosen);
  const last = useRef<Results>(undefined);
  // Stations first: what comes before them would push them away.
  const isListed = listing?.listed !== undefined || listing?.error !== undefined;
  const isCurrent = asked === query && found.value !== undefined && isListed;
  const listed = listing?.listed;
  const answer = useMemo(
    () =>
      isCurrent
        ? resultsOf({ found: found.value, listed, topics: topics.value, songs: songs.value })
        : undefined,
    [isCurrent, found.value, listed, topics.value, songs.value],
  );
  useEffect(() => {
    if (answer) last.current = answer;
  });
  return {
    results: answer ?? (last.current && query !== '' ? narrowed(last.current, query) : undefined),
    listing: isCurrent && listed ? listing : undefined,
    isWaiting: query !== '' && !isCurrent && found.error === undefined,
    error: asked === query ? found.error : undefined,
    again: found.again,
  };
}

function usePaused(query: string): string {
  const [paused, setPaused] = useState(query);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(query), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [query]);
  return paused;
}
