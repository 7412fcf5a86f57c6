import type { Menu } from '@longwave/client';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type Ask, prepareAnswer, useAnswer } from '../../directory/use-answer.ts';
import { askMenu } from '../../items/ask-menu.ts';
import type { Language } from '../../i18n/languages.ts';
import { useWords } from '../../i18n/use-words.ts';
import type { Chosen } from '../../listing/filters.ts';
import { type Listing, prepareListing, useListing } from '../../listing/use-listing.ts';
import { type Results, narrowed, resultsOf } from './results.ts';

/** Short enough to feel immediate, and long enough to save calls while typing. */
const PAUSE_MS = 120;

export interface Searched {
  /** Undefined until there is something to show. */
  results: Results | undefined;
  /** The stations in pages; undefined while the words are others, and where the directory did not list them. */
  listing: Listing | undefined;
  isWaiting: boolean;
  /** Whether something follows the stations that may be drawn: all of it is there, or is left of the words before. */
  hasRest: boolean;
  error: unknown;
  again: () => void;
}

const NO_REST: Pick<Results, 'songs' | 'shows' | 'topics'> = { songs: [], shows: [], topics: [] };

const keyOf = (kind: string, query: string): string => `search ${kind} ${query}`;
const askAll =
  (query: string): Ask<Menu> =>
  (directory, call) =>
    directory.search.find(query, {}, call);

/** Stations, and what stands before them. */
export const prepareResults = (query: string, chosen: Chosen, language: Language): Promise<unknown>[] => [
  prepareListing({ q: query }, chosen, language),
  prepareAnswer(keyOf('all', query), language, askAll(query)),
];

/**
 * The results for these words. While they are typed, results that no longer match vanish immediately and the rest
 * stays.
 */
export function useResults(query: string, chosen: Chosen): Searched {
  const { language } = useWords();
  const asked = usePaused(query);
  const key = asked === '' ? undefined : asked;
  const named = (kind: string): string | undefined => key && keyOf(kind, key);
  const found = useAnswer(named('all'), askAll(asked));
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
  // What follows the stations comes at once: each part would push away the next.
  const isWhole = answer !== undefined && !topics.isWaiting && !songs.isWaiting;
  useEffect(() => {
    if (isWhole) last.current = answer;
  });
  const before = last.current && query !== '' ? narrowed(last.current, query) : undefined;
  const rest = isWhole ? answer : (before ?? NO_REST);
  return {
    results: answer ? { ...answer, songs: rest.songs, shows: rest.shows, topics: rest.topics } : before,
    listing: isCurrent && listed ? listing : undefined,
    isWaiting: query !== '' && !isWhole && found.error === undefined,
    hasRest: isWhole || before !== undefined,
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
