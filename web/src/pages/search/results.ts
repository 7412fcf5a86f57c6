import type { Menu, Outline } from '@longwave/client';
import { type Item, readItem } from '../../items/item.ts';
import { plainLetters } from '../../items/plain-letters.ts';

/** Search results by kind. */
export interface Results {
  genres: readonly Item[];
  /** As far as they were read, with links to networks, each behind the station that stands for several of its channels. */
  stations: readonly Item[];
  shows: readonly Item[];
  topics: readonly Item[];
  /** Stations that now play a song with these words. */
  songs: readonly Item[];
}

interface Answers {
  found: Menu | undefined;
  /** All stations that the words find, in pages; without it those of the first answer are shown. */
  listed: { items: readonly Item[] } | undefined;
  topics: Menu | undefined;
  songs: Menu | undefined;
}

export function resultsOf({ found, listed, topics, songs }: Answers): Results {
  const items = (found?.outlines ?? []).flatMap(linesOf);
  const of = (kind: Item['kind']): Item[] => items.filter((item) => item.kind === kind);
  return {
    genres: of('link').filter((item) => item.href !== undefined && !isNetwork(item)),
    stations: listed?.items ?? items.filter((item) => item.kind === 'station' || isNetwork(item)),
    shows: of('show'),
    topics: kindIn(topics, 'topic'),
    songs: kindIn(songs, 'station'),
  };
}

/** How many there are; of the stations all, also those that were not read yet. */
export function countOf(results: Results, listed?: { total: number }): number {
  const { stations, ...others } = results;
  return Object.values<readonly Item[]>(others).reduce(
    (sum, items) => sum + countIn(items),
    listed?.total ?? countIn(stations),
  );
}

const countIn = (items: readonly Item[]): number => items.filter((item) => !isNetwork(item)).length;

const isNetwork = ({ kind, guideId }: Item): boolean => kind === 'link' && /^a\d+$/.test(guideId ?? '');

/** Items that cannot be played here are in a group of that name, after the others. */
function linesOf(outline: Outline): Item[] {
  if (outline.children.length === 0) return [readItem(outline)];
  const isUnavailable = outline.key === 'unavailable';
  return outline.children.map((child) => ({ ...readItem(child), isUnavailable }));
}

const kindIn = (menu: Menu | undefined, kind: Item['kind']): Item[] =>
  (menu?.outlines ?? []).flatMap(linesOf).filter((item) => item.kind === kind);

/** The part of an earlier answer that still matches what is typed now. */
export function narrowed(results: Results, query: string): Results {
  const words = wordsOf(query);
  const keep = (items: readonly Item[]): Item[] =>
    items.filter(({ name, aside, subtext }) => {
      const text = wordsOf([name, aside, subtext].join(' '));
      return words.length > 0 && words.every((word) => text.some((other) => other.startsWith(word)));
    });
  const { genres, stations, shows, topics, songs } = results;
  return {
    genres: keep(genres),
    stations: keep(stations),
    shows: keep(shows),
    topics: keep(topics),
    songs: keep(songs),
  };
}

const wordsOf = (text: string): string[] =>
  plainLetters(text)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean);
