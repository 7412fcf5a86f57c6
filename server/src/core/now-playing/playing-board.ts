import type { Clock } from '../../lib/clock.ts';
import { isShown, type Song, type StationSong } from './song.ts';
import { MAX_SONGS, MAX_WANTED, type News, type PlayingStore, WANTED_MS } from './store.ts';

interface PlayingBoardOptions {
  store: PlayingStore;
  clock: Clock;
  /** Maximum number of songs; those heard longest ago are removed first. */
  mostSongs?: number;
}

const SWEEP_MS = 30_000;

/**
 * What stations play, as far as this process knows: read synchronously, updated by the store's news. While the store is
 * unreachable the board uses what it has until that expires.
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

  constructor({ store, clock, mostSongs = MAX_SONGS }: PlayingBoardOptions) {
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

  /** A listener requested this station. True when it is the first request in a while: its song is known in a moment. */
  asked(stationId: number): boolean {
    return this.#demand.add(stationId);
  }

  /** Sends the requested stations to the store; this also happens every second. */
  flush(): Promise<void> {
    return this.#demand.flush();
  }

  /** All songs that are known to play now. */
  *listPlaying(): Generator<StationSong> {
    const now = this.#now();
    for (const [stationId, song] of this.#songs) if (isShown(song, now)) yield { stationId, song };
  }

  /** Number of songs, some of which may be over. */
  get size(): number {
    return this.#songs.size;
  }

  /** Subscribes to songs that change or are heard again. */
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
      // Reinserted, so that those heard longest ago come first.
      this.#songs.delete(stationId);
      if (song) this.#songs.set(stationId, song);
    }
    for (const id of this.#songs.keys()) {
      if (this.#songs.size <= this.#mostSongs) break;
      this.#songs.delete(id);
    }
    for (const listener of this.#listeners) listener(news);
  }

  /** Songs published before this process subscribed. News received meanwhile are newer, including those of no song. */
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
      // The store is unreachable again, and logs it itself; when it is back this is called once more.
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

const FLUSH_MS = 1000;
/** Well within the time a station stays in demand: one message a minute to the store, however many callers. */
const AGAIN_MS = WANTED_MS / 5;

/** The stations that callers of this process request, sent to the store once a second, never during a call. */
class Demand implements AsyncDisposable {
  readonly #store: Pick<PlayingStore, 'ask'>;
  readonly #clock: Clock;
  readonly #fresh = new Set<number>();
  /** When a station was last sent to the store. */
  readonly #askedAtMs = new Map<number, number>();
  readonly #timer: NodeJS.Timeout;
  #flushing: Promise<void> | undefined;

  constructor(store: Pick<PlayingStore, 'ask'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  /** True when there was no recent request. */
  add(stationId: number): boolean {
    const askedAtMs = this.#askedAtMs.get(stationId);
    const ageMs = askedAtMs === undefined ? Infinity : this.#clock.elapsedMs() - askedAtMs;
    if (ageMs >= AGAIN_MS && this.#fresh.size < MAX_WANTED) this.#fresh.add(stationId);
    return ageMs >= WANTED_MS;
  }

  /** The store may have lost what it was sent. */
  forget(): void {
    this.#askedAtMs.clear();
  }

  flush(): Promise<void> {
    return (this.#flushing ??= this.#flush().finally(() => (this.#flushing = undefined)));
  }

  sweep(): void {
    const since = this.#clock.elapsedMs() - WANTED_MS;
    for (const [id, at] of this.#askedAtMs) if (at <= since) this.#askedAtMs.delete(id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#flushing;
  }

  async #flush(): Promise<void> {
    const ids = [...this.#fresh];
    if (ids.length === 0) return;
    this.#fresh.clear();
    const now = this.#clock.elapsedMs();
    for (const id of ids) this.#askedAtMs.set(id, now);
    try {
      await this.#store.ask(ids);
    } catch {
      // The store logs that it is unreachable; the next request sends these again.
      for (const id of ids) this.#askedAtMs.delete(id);
    }
  }
}
