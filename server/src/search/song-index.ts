import type { PlayingBoard } from '../playing/playing-board.ts';
import { type Song, isSameSong } from '../playing/song.ts';
import type { Hit } from './find.ts';
import {
  type FoldedSong,
  type SongPart,
  fitSong,
  foldSong,
  soughtWords,
  startOf,
  startsOf,
} from './fit-song.ts';

/** Between two calls that wait: a song takes some microseconds to take in. */
const AT_ONCE = 50;
/** Of songs that share their rarest word with a query. A list of fifty needs no more. */
const MOST_LOOKED_AT = 2000;
/** More are not looked at when it comes to who is near and reliable. */
const MOST_HITS = 500;
/** Songs that are over stay until there are so many of them. */
const MOST_OVER = 1000;

interface Known {
  song: Song;
  folded: FoldedSong;
}

/**
 * What plays now, by the starts of its words: to read through fifty thousand songs would keep every other caller waiting.
 * New songs are taken in between calls, so that they are found a moment after they are shown.
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
      this.#settleSoon();
    });
    this.#settleSoon();
  }

  /** Stations that play now what was typed: each word of it begins one there, and one of up to two letters is one. */
  find(query: string, part: SongPart): Hit[] {
    const words = soughtWords(query);
    const hits: Hit[] = [];
    let looked = 0;
    for (const id of this.#candidates(words)) {
      if ((looked += 1) > MOST_LOOKED_AT) break;
      const folded = this.#known.get(id)?.folded;
      const score = folded ? fitSong(folded, words, part) : 0;
      if (score > 0 && this.#isPlaying(id)) hits.push({ id, score });
    }
    return hits.toSorted((a, b) => b.score - a.score).slice(0, MOST_HITS);
  }

  /** Those that have the rarest of the words. */
  #candidates(words: readonly string[]): Iterable<number> {
    const sets = words.map((word) => this.#byStart.get(startOf(word)) ?? NOBODY);
    return sets.toSorted((a, b) => a.size - b.size)[0] ?? NOBODY;
  }

  #isPlaying(stationId: number): boolean {
    return isSameSong(this.#board.songOf(stationId) ?? NO_SONG, this.#known.get(stationId)?.song);
  }

  #settleSoon(): void {
    if (this.#isSettling || this.#waiting.size === 0) return;
    this.#isSettling = true;
    setImmediate(() => this.#settleSome());
  }

  #settleSome(): void {
    this.#isSettling = false;
    let left = AT_ONCE;
    for (const id of this.#waiting) {
      if (left === 0) break;
      left -= 1;
      this.#waiting.delete(id);
      this.#settle(id);
    }
    if (this.#known.size > this.#board.size + MOST_OVER)
      for (const id of this.#known.keys()) if (!this.#isPlaying(id)) this.#waiting.add(id);
    this.#settleSoon();
  }

  #settle(id: number): void {
    const song = this.#board.songOf(id);
    const known = this.#known.get(id);
    if (song && isSameSong(song, known?.song)) return;
    if (known) this.#forget(id, known);
    if (!song) return;
    const folded = foldSong(song);
    this.#known.set(id, { song, folded });
    for (const start of startsOf(folded)) {
      const stations = this.#byStart.get(start);
      if (stations) stations.add(id);
      else this.#byStart.set(start, new Set([id]));
    }
  }

  #forget(id: number, { folded }: Known): void {
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
