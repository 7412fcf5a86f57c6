import { type Clock, systemClock } from '../../lib/clock.ts';
import { type Song, type StationSong, isShown } from './song.ts';
import {
  type DueStation,
  MAX_SONGS,
  MAX_WANTED,
  type News,
  type PlayingStore,
  type StationUpdate,
  WANTED_MS,
} from './store.ts';

export interface MemoryStoreOptions {
  clock?: Clock;
  wantedMs?: number;
  mostWanted?: number;
}

type Listener = (news: readonly News[]) => void;

/** The same, within one process. */
export class MemoryStore implements PlayingStore {
  readonly kind = 'memory';
  readonly #clock: Clock;
  readonly #wantedMs: number;
  readonly #mostWanted: number;
  /** By station: when it was last requested, when it is due, until when only its own messages count. */
  readonly #wanted = new Map<number, number>();
  readonly #due = new Map<number, number>();
  readonly #held = new Map<number, number>();
  /** The most recently heard song is last. */
  readonly #songs = new Map<number, Song>();
  readonly #listeners = new Set<Listener>();

  constructor({
    clock = systemClock,
    wantedMs = WANTED_MS,
    mostWanted = MAX_WANTED,
  }: MemoryStoreOptions = {}) {
    this.#clock = clock;
    this.#wantedMs = wantedMs;
    this.#mostWanted = mostWanted;
  }

  async ask(stationIds: readonly number[]): Promise<void> {
    const now = this.#clock.elapsedMs();
    for (const id of stationIds) {
      if (!this.#wanted.has(id) && this.#wanted.size >= this.#mostWanted) continue;
      this.#wanted.set(id, now);
      if (!this.#due.has(id)) this.#due.set(id, now);
    }
  }

  async claimDue(most: number, leaseMs: number): Promise<readonly DueStation[]> {
    const now = this.#clock.elapsedMs();
    this.#letGo(now);
    const due = [...this.#due].filter(([, at]) => at <= now).toSorted(([, one], [, other]) => one - other);
    return due.slice(0, most).map(([stationId]) => {
      this.#due.set(stationId, now + leaseMs);
      return { stationId, song: this.#songOf(stationId) };
    });
  }

  async publish(updates: readonly StationUpdate[]): Promise<void> {
    const now = this.#clock.elapsedMs();
    const news = updates.flatMap((one) => this.#learn(one, now));
    if (news.length > 0) for (const listener of this.#listeners) listener(news);
  }

  async songs(stationIds: readonly number[]): Promise<ReadonlyMap<number, Song>> {
    const songs = new Map<number, Song>();
    for (const id of stationIds) {
      const song = this.#songOf(id);
      if (song) songs.set(id, song);
    }
    return songs;
  }

  async listRecent(most: number): Promise<readonly StationSong[]> {
    const now = this.#clock.now().epochMilliseconds;
    const shown = [...this.#songs].filter(([, song]) => isShown(song, now)).toReversed();
    return shown.slice(0, most).map(([stationId, song]) => ({ stationId, song }));
  }

  subscribe(listener: Listener, onBegin?: () => void): Disposable {
    this.#listeners.add(listener);
    onBegin?.();
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listeners.clear();
  }

  #learn({ stationId, heard, dueInMs, holdMs = 0 }: StationUpdate, now: number): News[] {
    if (holdMs === 0 && (this.#held.get(stationId) ?? 0) > now) return [];
    this.#due.set(stationId, now + dueInMs);
    if (holdMs > 0) this.#held.set(stationId, now + holdMs);
    if (heard === 'unheard') return [];
    this.#songs.delete(stationId);
    if (heard !== 'nothing') this.#songs.set(stationId, heard);
    evictOldest(this.#songs, MAX_SONGS);
    return [{ stationId, song: heard === 'nothing' ? undefined : heard }];
  }

  #songOf(stationId: number): Song | undefined {
    const song = this.#songs.get(stationId);
    return song && isShown(song, this.#clock.now().epochMilliseconds) ? song : undefined;
  }

  /** Removes stations that are no longer in demand and songs that are no longer shown. */
  #letGo(now: number): void {
    const nowMs = this.#clock.now().epochMilliseconds;
    for (const [id, at] of this.#wanted) if (at <= now - this.#wantedMs) this.#wanted.delete(id);
    for (const [id, at] of this.#due) if (at <= now && !this.#wanted.has(id)) this.#due.delete(id);
    for (const [id, at] of this.#held) if (at <= now) this.#held.delete(id);
    for (const [id, song] of this.#songs) if (!isShown(song, nowMs)) this.#songs.delete(id);
  }
}

function evictOldest(songs: Map<number, Song>, most: number): void {
  for (const id of songs.keys()) {
    if (songs.size <= most) return;
    songs.delete(id);
  }
}
