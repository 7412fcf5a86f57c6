import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PlayingBoard } from './playing-board.ts';
import type { StationSong } from './song.ts';
import {
  type ListedSong,
  type RankedStations,
  type SongsNow,
  isListed,
  rankedSongs,
  toListed,
} from './songs-now.ts';
import type { News } from './store.ts';

export interface ListedSongsOptions {
  playing: Pick<PlayingBoard, 'listPlaying' | 'onNews' | 'size'>;
  directory: {
    current: () => RankedStations;
    onSwap: (listener: (snapshot: RankedStations) => void) => () => void;
  };
  /** Songs listed at most; the ones heard longest ago are left out first. */
  mostSongs?: number;
}

/** A song may be told so much too long or too late; less than half a minute, since a timer may be late as well. */
const TURN_MS = 25_000;
/** As many as are polled at once. */
const MOST_LISTED = 50_000;
/** Between two calls that wait. */
const AT_ONCE = 1000;

/**
 * The songs that lists tell. Each change makes every kept menu be made anew, so they change together and seldom: at once
 * after some quiet, else at the next turn. Listing is no question: who is only listed is not polled.
 */
export class ListedSongs implements AsyncDisposable {
  readonly #options: ListedSongsOptions;
  readonly #news: Disposable;
  readonly #endSwaps: () => void;
  readonly #timer: NodeJS.Timeout;
  #turning: Promise<void> = Promise.resolve();
  #isTurning = false;
  #isOver = false;
  #isQuiet = true;
  #listed: ReadonlyMap<number, ListedSong> = new Map();
  #stamp = 0;
  #ranked: { snapshot: RankedStations; now: SongsNow | undefined } | undefined;

  constructor(options: ListedSongsOptions) {
    this.#options = options;
    this.#news = options.playing.onNews((news) => {
      if (this.#isQuiet && !this.#isTurning && news.some((one) => this.#isNew(one))) void this.turn();
    });
    this.#endSwaps = options.directory.onSwap((snapshot) => void this.on(snapshot));
    this.#timer = setInterval(() => void this.turn(), TURN_MS).unref();
    void this.turn();
  }

  /** Undefined while no song of any of the stations is known. */
  on(snapshot: RankedStations): SongsNow | undefined {
    if (this.#listed.size === 0) return undefined;
    if (this.#ranked?.snapshot !== snapshot)
      this.#ranked = { snapshot, now: rankedSongs(this.#stamp, this.#listed, snapshot) };
    return this.#ranked.now;
  }

  /** Lists what plays now, and nothing that is over; in pieces, between which others are served. */
  turn(): Promise<void> {
    if (!this.#isTurning) this.#turning = this.#turn();
    return this.#turning;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#news[Symbol.dispose]();
    this.#endSwaps();
    await this.#turning;
  }

  async #turn(): Promise<void> {
    this.#isTurning = true;
    const listed = new Map<number, ListedSong>();
    for (const { stationId, song } of this.#latest()) {
      const known = this.#listed.get(stationId);
      listed.set(stationId, known && isListed(known, song) ? known : toListed(song));
      if (listed.size % AT_ONCE > 0) continue;
      await nextTurn();
      if (this.#isOver) return;
    }
    this.#isTurning = false;
    this.#show(listed);
  }

  *#latest(): Generator<StationSong> {
    const { playing, mostSongs = MOST_LISTED } = this.#options;
    let tooMany = playing.size - mostSongs;
    for (const one of playing.listPlaying()) if ((tooMany -= 1) < 0) yield one;
  }

  /** The stamp stays where they are what was listed before. */
  #show(listed: ReadonlyMap<number, ListedSong>): void {
    this.#isQuiet = isSame(listed, this.#listed);
    if (this.#isQuiet) return;
    this.#listed = listed;
    this.#stamp += 1;
    this.#ranked = undefined;
    // Sorted by rank here, where nobody waits for it.
    this.on(this.#options.directory.current());
  }

  #isNew({ stationId, song }: News): boolean {
    const known = this.#listed.get(stationId);
    return known && song ? !isListed(known, song) : known !== song;
  }
}

function isSame(one: ReadonlyMap<number, ListedSong>, other: ReadonlyMap<number, ListedSong>): boolean {
  if (one.size !== other.size) return false;
  for (const [id, song] of one) if (other.get(id) !== song) return false;
  return true;
}
