import type { Clock } from '../lib/clock.ts';
import { Demand } from './demand.ts';
import { type Song, type StationSong, isShown } from './song.ts';
import { MOST_SONGS, type News, type PlayingStore } from './store.ts';

export interface PlayingBoardOptions {
  store: PlayingStore;
  clock: Clock;
  /** Songs held at most; the ones heard longest ago go first. */
  mostSongs?: number;
}

const SWEEP_MS = 30_000;

/**
 * What stations play, as far as this process has heard: read without waiting, kept new by the news of the store. While
 * the store is away it goes on with what it has until that is old.
 */
export class PlayingBoard implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #store: PlayingStore;
  readonly #mostSongs: number;
  readonly #demand: Demand;
  readonly #songs = new Map<number, Song>();
  readonly #listeners = new Set<(news: readonly News[]) => void>();
  readonly #news: Disposable;
  readonly #sweeping: NodeJS.Timeout;
  #reading: Promise<void> = Promise.resolve();

  constructor({ store, clock, mostSongs = MOST_SONGS }: PlayingBoardOptions) {
    this.#clock = clock;
    this.#store = store;
    this.#mostSongs = mostSongs;
    this.#demand = new Demand(store, clock);
    this.#news = store.subscribe(
      (news) => this.#learn(news),
      () => void (this.#reading = this.#read()),
    );
    this.#sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  songOf(stationId: number): Song | undefined {
    const song = this.#songs.get(stationId);
    return song && isShown(song, this.#now()) ? song : undefined;
  }

  /** A listener wants to know. True when nobody did lately: what it plays is known in a moment. */
  asked(stationId: number): boolean {
    return this.#demand.add(stationId);
  }

  /** Tells the store who was asked about; it does so by itself every second. */
  flush(): Promise<void> {
    return this.#demand.flush();
  }

  /** Everything that is known to play now. */
  *listPlaying(): Generator<StationSong> {
    const now = this.#now();
    for (const [stationId, song] of this.#songs) if (isShown(song, now)) yield { stationId, song };
  }

  /** Songs held, some of which may be over. */
  get size(): number {
    return this.#songs.size;
  }

  /** Hears what changes from now on, and what is heard again. */
  onNews(listener: (news: readonly News[]) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweeping);
    this.#news[Symbol.dispose]();
    this.#listeners.clear();
    await this.#demand[Symbol.asyncDispose]();
    await this.#reading;
  }

  #learn(news: readonly News[]): void {
    for (const { stationId, song } of news) {
      // Put in anew, so that the ones heard longest ago come first.
      this.#songs.delete(stationId);
      if (song) this.#songs.set(stationId, song);
    }
    for (const id of this.#songs.keys()) {
      if (this.#songs.size <= this.#mostSongs) break;
      this.#songs.delete(id);
    }
    for (const listener of this.#listeners) listener(news);
  }

  /** What was told before this process listened. News that came meanwhile are newer, those of no song too. */
  async #read(): Promise<void> {
    this.#demand.forget();
    const newer = new Set<number>();
    const listening = this.onNews((news) => news.forEach(({ stationId }) => newer.add(stationId)));
    try {
      const recent = await this.#store.listRecent(this.#mostSongs);
      const older = recent.filter(
        ({ stationId, song }) => !newer.has(stationId) && song.heardAt > this.#heardAt(stationId),
      );
      if (older.length > 0) this.#learn(older.toReversed());
    } catch {
      // The store is away again, and says so itself; when it is back this is called once more.
    } finally {
      listening[Symbol.dispose]();
    }
  }

  #heardAt(stationId: number): number {
    return this.#songs.get(stationId)?.heardAt ?? 0;
  }

  #sweep(): void {
    const now = this.#now();
    for (const [id, song] of this.#songs) if (!isShown(song, now)) this.#songs.delete(id);
    this.#demand.sweep();
  }

  #now(): number {
    return this.#clock.now().epochMilliseconds;
  }
}
