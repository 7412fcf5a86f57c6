import { piecesOf, searchWords } from '../../lib/search-words.ts';
import type { PlayingBoard } from '../now-playing/playing-board.ts';
import { isSameSong, type Song } from '../now-playing/song.ts';
import type { Hit } from './find.ts';

/** Songs indexed before yielding to waiting calls: each takes a few microseconds. */
const BATCH = 50;
/** Candidates that share the rarest word with a query. A list of fifty needs no more. */
const MAX_SCANNED = 2000;
/** Only this many are ranked by distance and reliability. */
const MAX_HITS = 500;
/** Ended songs stay until there are this many. */
const MAX_OVER = 1000;

interface Known {
  song: Song;
  folded: FoldedSong;
}

/**
 * Indexes the songs playing now by the prefixes of their words: scanning fifty thousand songs would block every other
 * caller. New songs are indexed between calls, so that they are found a moment after they are shown.
 */
export class SongIndex {
  readonly #board: Pick<PlayingBoard, 'listPlaying' | 'songOf' | 'onNews' | 'size'>;
  readonly #byStart = new Map<string, Set<number>>();
  readonly #known = new Map<number, Known>();
  readonly #waiting = new Set<number>();
  #isSettling = false;

  constructor(board: Pick<PlayingBoard, 'listPlaying' | 'songOf' | 'onNews' | 'size'>) {
    this.#board = board;
    for (const { stationId } of board.listPlaying()) this.#waiting.add(stationId);
    board.onNews((news) => {
      for (const { stationId } of news) this.#waiting.add(stationId);
      this.#indexSoon();
    });
    this.#indexSoon();
  }

  /** Stations that now play what was typed: each word as a prefix, words of up to two letters whole. */
  find(query: string, part: SongPart): Hit[] {
    const words = soughtWords(query);
    const hits: Hit[] = [];
    let looked = 0;
    for (const id of this.#candidates(words)) {
      if ((looked += 1) > MAX_SCANNED) break;
      const folded = this.#known.get(id)?.folded;
      const score = folded ? fitSong(folded, words, part) : 0;
      if (score > 0 && this.#isPlaying(id)) hits.push({ id, score });
    }
    return hits.toSorted((a, b) => b.score - a.score).slice(0, MAX_HITS);
  }

  /** The songs that have the rarest of the words. */
  #candidates(words: readonly string[]): Iterable<number> {
    const sets = words.map((word) => this.#byStart.get(startOf(word)) ?? NOBODY);
    return sets.toSorted((a, b) => a.size - b.size)[0] ?? NOBODY;
  }

  #isPlaying(stationId: number): boolean {
    return isSameSong(this.#board.songOf(stationId) ?? NO_SONG, this.#known.get(stationId)?.song);
  }

  #indexSoon(): void {
    if (this.#isSettling || this.#waiting.size === 0) return;
    this.#isSettling = true;
    setImmediate(() => this.#indexSome());
  }

  #indexSome(): void {
    this.#isSettling = false;
    let left = BATCH;
    for (const id of this.#waiting) {
      if (left === 0) break;
      left -= 1;
      this.#waiting.delete(id);
      this.#index(id);
    }
    if (this.#known.size > this.#board.size + MAX_OVER)
      for (const id of this.#known.keys()) if (!this.#isPlaying(id)) this.#waiting.add(id);
    this.#indexSoon();
  }

  #index(id: number): void {
    const song = this.#board.songOf(id);
    const known = this.#known.get(id);
    if (song && isSameSong(song, known?.song)) return;
    if (known) this.#remove(id, known);
    if (!song) return;
    const folded = foldSong(song);
    this.#known.set(id, { song, folded });
    for (const start of startsOf(folded)) this.#byStart.getOrInsertComputed(start, () => new Set()).add(id);
  }

  #remove(id: number, { folded }: Known): void {
    this.#known.delete(id);
    for (const start of startsOf(folded)) {
      const stations = this.#byStart.get(start);
      stations?.delete(id);
      if (stations?.size === 0) this.#byStart.delete(start);
    }
  }
}

const NOBODY: ReadonlySet<number> = new Set();
const NO_SONG: Song = { title: '', source: 'push', startedAt: 0, heardAt: 0 };

/** Where the words must match: in the title with or without the artist, in the artist's name, or in both together. */
export type SongPart = 'song' | 'artist' | 'either';

/** The words of a song, each with a space before and after, so that ` word` matches the beginning of a word. */
interface FoldedSong {
  title: string;
  artist: string;
}

const EXACT = 1000;
const FROM_START = 500;
const SOMEWHERE = 100;
/** Shorter words must match whole: a fifth of all songs have a word that begins with t. */
const MIN_START_LENGTH = 3;

const foldSong = ({ title, artist = '' }: Song): FoldedSong => ({
  title: fold(title),
  artist: fold(artist),
});

const wordsOf = (text: string): string[] => searchWords(text).flatMap(piecesOf);
const fold = (text: string): string => ` ${wordsOf(text).join(' ')} `;

/** The substrings to find in a folded song: the beginning of a word, or a short word whole. */
export const soughtWords = (query: string): string[] =>
  wordsOf(query).map((word) => (word.length < MIN_START_LENGTH ? ` ${word} ` : ` ${word}`));

/** The index keys of a song: the prefixes of its words. */
const startsOf = ({ title, artist }: FoldedSong): Set<string> =>
  new Set(`${artist}${title}`.split(' ').filter(Boolean).map(startOf));

const startOf = (word: string): string => word.trim().slice(0, MIN_START_LENGTH);

/** How well a song matches the words; 0 when it does not. */
function fitSong({ title, artist }: FoldedSong, words: readonly string[], part: SongPart): number {
  if (part === 'artist') return fit(artist, words);
  if (!words.every((word) => title.includes(word) || artist.includes(word))) return 0;
  if (part === 'song' && !words.some((word) => title.includes(word))) return 0;
  return Math.max(SOMEWHERE, fit(title, words), part === 'either' ? fit(artist, words) : 0);
}

function fit(text: string, words: readonly string[]): number {
  if (!words.every((word) => text.includes(word))) return 0;
  const typed = words.map((word) => word.trimEnd()).join('');
  if (text === `${typed} `) return EXACT;
  return text.startsWith(typed) ? FROM_START : SOMEWHERE;
}
