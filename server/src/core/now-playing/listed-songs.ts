import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PlayingBoard } from './playing-board.ts';
import { isSameSong, type Song, songLine, type StationSong } from './song.ts';
import type { News } from './store.ts';

interface ListedSongsOptions {
  playing: Pick<PlayingBoard, 'listPlaying' | 'onNews' | 'size'>;
  directory: {
    current: () => RankedStations;
    onSwap: (listener: (snapshot: RankedStations) => void) => () => void;
  };
  /** Maximum number of listed songs; those heard longest ago are left out first. */
  mostSongs?: number;
}

/** A song may be listed this much too long or too late; less than half a minute, since a timer may be late as well. */
const TURN_MS = 25_000;
/** As many as are polled concurrently. */
const MAX_LISTED = 50_000;
/** Songs per step, after which waiting calls are served. */
const BATCH = 1000;

/**
 * The songs shown in lists. Each change invalidates every cached menu, so they change together and rarely: immediately
 * after a quiet period, else at the next turn. Being listed does not count as demand: a station that is only listed is
 * not polled.
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

  /** Lists the songs that play now, without ended ones; in steps, between which calls are served. */
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
      if (listed.size % BATCH > 0) continue;
      await nextTurn();
      if (this.#isOver) return;
    }
    this.#isTurning = false;
    this.#show(listed);
  }

  *#latest(): Generator<StationSong> {
    const { playing, mostSongs = MAX_LISTED } = this.#options;
    let tooMany = playing.size - mostSongs;
    for (const one of playing.listPlaying()) if ((tooMany -= 1) < 0) yield one;
  }

  /** The stamp changes only if the songs do. */
  #show(listed: ReadonlyMap<number, ListedSong>): void {
    this.#isQuiet = isSame(listed, this.#listed);
    if (this.#isQuiet) return;
    this.#listed = listed;
    this.#stamp += 1;
    this.#ranked = undefined;
    // Sorts by rank here, in the background, so that no request has to.
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

/** A song as a station's menu entry shows it. */
interface ListedSong {
  /** `Artist - Title`. */
  readonly song: string;
  readonly songImage: { readonly address: string } | undefined;
  /** The song it was made from. */
  readonly of: Song;
}

/** What the stations of a snapshot play. Immutable; the stamp is unique for the snapshot. */
export interface SongsNow {
  readonly stamp: number;
  /** The stations by rank, and their songs, in the same order. */
  readonly ranks: readonly number[];
  readonly songs: readonly ListedSong[];
  /** The index of a rank in that order. */
  readonly placeOf: { get: (rank: number) => number | undefined };
}

/** The part of a snapshot that gives each station's rank. */
interface RankedStations {
  readonly stationById: ReadonlyMap<number, { readonly rank: number }>;
}

const toListed = (song: Song): ListedSong => ({
  song: songLine(song),
  songImage: song.artAddress === undefined ? undefined : { address: song.artAddress },
  of: song,
});

/** Whether both songs are displayed the same. */
const isListed = ({ of }: ListedSong, song: Song): boolean =>
  of === song || (isSameSong(of, song) && of.artAddress === song.artAddress);

/** The song of the station at a rank. */
export function songAt(now: SongsNow | undefined, rank: number): ListedSong | undefined {
  const place = now?.placeOf.get(rank);
  return place === undefined ? undefined : now?.songs[place];
}

/** Undefined when none of the stations plays any of the songs. */
function rankedSongs(
  stamp: number,
  byStation: ReadonlyMap<number, ListedSong>,
  { stationById }: RankedStations,
): SongsNow | undefined {
  const ranks: number[] = [];
  const songs: ListedSong[] = [];
  // Index plus one, so that the zeros of a new table mean "absent".
  const places = new Int32Array(stationById.size);
  for (const [id, song] of byStation) {
    const rank = stationById.get(id)?.rank;
    if (rank === undefined) continue;
    songs.push(song);
    places[rank] = ranks.push(rank);
  }
  const get = (rank: number): number | undefined => (places[rank] ? places[rank] - 1 : undefined);
  return ranks.length > 0 ? { stamp, ranks, songs, placeOf: { get } } : undefined;
}
