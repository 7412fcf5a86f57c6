import type { Song, StationSong } from './song.ts';

/** A station that is due to be asked, and the song it was last heard with. */
export interface DueStation {
  readonly stationId: number;
  readonly song: Song | undefined;
}

/** What was learnt of a station. */
export interface Told {
  readonly stationId: number;
  /** `nothing` takes the song away; after `unheard` it stays as long as it would have: the station did not answer. */
  readonly heard: Song | 'nothing' | 'unheard';
  /** When the station is asked again, if anybody still wants to know. */
  readonly dueInMs: number;
  /**
   * The station itself told, and for so long only its own word counts: what a poller heard meanwhile is dropped. Give
   * the same as `dueInMs`.
   */
  readonly holdMs?: number | undefined;
}

/** What changed on a station, or was heard again. */
export interface News {
  readonly stationId: number;
  readonly song: Song | undefined;
}

/**
 * What stations play, who was asked about, and who is due: shared by all processes, or kept by one. All of it may be
 * lost at any time, and goes by itself when nobody refreshes it. Each call may throw `StoreAway`.
 */
export interface PlayingStore extends AsyncDisposable {
  /** Shown to the operator. */
  readonly kind: 'redis' | 'memory';
  /** Listeners want to know: for the next minutes these stations are polled, beginning at once. */
  ask(stationIds: readonly number[]): Promise<void>;
  /** Stations that are wanted and due; nobody else's for `leaseMs`, or until they are told of. */
  claimDue(most: number, leaseMs: number): Promise<readonly DueStation[]>;
  /** Many at a time. Whoever subscribed hears of it, in this process too. */
  tell(told: readonly Told[]): Promise<void>;
  songs(stationIds: readonly number[]): Promise<ReadonlyMap<number, Song>>;
  /** The stations whose songs are shown, those first that will be longest or were heard last; at most MOST_SONGS. */
  listRecent(most: number): Promise<readonly StationSong[]>;
  /**
   * Hears what is told. `onBegin` is called when the listening has begun, and each time it begins again after news may
   * have been missed: whoever reads then what was told before has it all.
   */
  subscribe(listener: (news: readonly News[]) => void, onBegin?: () => void): Disposable;
}

/** Nobody can be asked or told for now. The store says so itself, once. */
export class StoreAway extends Error {
  override name = 'StoreAway';
}

/** How long after the last question a station is still polled. */
export const WANTED_MS = 5 * 60_000;
/** Stations polled at once over the whole fleet; further ones are told without a song. */
export const MOST_WANTED = 50_000;
/** Songs held at once. A song takes half a kilobyte: 100 MB at the very most, 10 MB with what is really asked for. */
export const MOST_SONGS = 200_000;
