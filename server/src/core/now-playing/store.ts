import type { Song, StationSong } from './song.ts';

/** A station that is due for polling, and the song it was last heard with. */
export interface DueStation {
  readonly stationId: number;
  readonly song: Song | undefined;
}

/** The result of polling a station, or its own message. */
export interface StationUpdate {
  readonly stationId: number;
  /** `nothing` removes the song; after `unheard` it stays until it expires: the station did not answer. */
  readonly heard: Song | 'nothing' | 'unheard';
  /** When the station is polled again, if it is still in demand. */
  readonly dueInMs: number;
  /**
   * Set when the station itself reported: for this long only its own messages count, and a poller's result is dropped.
   * Use the same value as `dueInMs`.
   */
  readonly holdMs?: number | undefined;
}

/** A change on a station, or a song heard again. */
export interface News {
  readonly stationId: number;
  readonly song: Song | undefined;
}

/**
 * What stations play, which are in demand, and which are due: shared by all processes, or local to one. All of it may
 * be lost at any time, and expires unless refreshed. Each call may throw `StoreAway`.
 */
export interface PlayingStore extends AsyncDisposable {
  /** Shown to the operator. */
  readonly kind: 'redis' | 'memory';
  /** Listeners request these stations: they are polled for the next minutes, starting immediately. */
  ask(stationIds: readonly number[]): Promise<void>;
  /** Stations that are in demand and due; leased to the caller for `leaseMs`, or until published. */
  claimDue(most: number, leaseMs: number): Promise<readonly DueStation[]>;
  /** Batched. Every subscriber is notified, in this process too. */
  publish(updates: readonly StationUpdate[]): Promise<void>;
  songs(stationIds: readonly number[]): Promise<ReadonlyMap<number, Song>>;
  /** The stations whose songs are shown, those first that last longest or were heard last; at most MAX_SONGS. */
  listRecent(most: number): Promise<readonly StationSong[]>;
  /**
   * Subscribes to published news. `onBegin` is called when the subscription starts, and each time it restarts after
   * news may have been missed: reading the published songs at that point misses nothing.
   */
  subscribe(listener: (news: readonly News[]) => void, onBegin?: () => void): Disposable;
}

/** The store is unreachable for now. It logs that itself, once. */
export class StoreAway extends Error {
  override name = 'StoreAway';
}

/** How long after the last request a station is still polled. */
export const WANTED_MS = 5 * 60_000;
/** Stations polled concurrently over the whole fleet; further ones are shown without a song. */
export const MAX_WANTED = 50_000;
/** Maximum number of songs. A song takes half a kilobyte: 100 MB at the very most, 10 MB with realistic demand. */
export const MAX_SONGS = 200_000;
