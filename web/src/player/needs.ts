import type { PlayerItem, PlayerStream } from './state.ts';

/** What the engine uses of the browser's audio element. */
export interface Sound {
  src: string;
  currentTime: number;
  readonly duration: number;
  volume: number;
  muted: boolean;
  readonly paused: boolean;
  readonly error: { readonly code: number; readonly message: string } | null;
  play(): Promise<void>;
  pause(): void;
  load(): void;
  removeAttribute(name: string): void;
  canPlayType(type: string): string;
  addEventListener(type: SoundEvent, listener: () => void, options?: { signal: AbortSignal }): void;
}

export type SoundEvent = 'playing' | 'error' | 'ended' | 'timeupdate' | 'durationchange';

/** How a stream failed, as the player calls it. */
export interface Failure {
  message: string;
  /** Of the browser's media errors; 0 where it gave none. */
  code: number;
}

/** Where a topic was left, by its guide ID, in seconds. */
export interface Positions {
  find(guideId: string): number | undefined;
  set(guideId: string, seconds: number): void;
  forget(guideId: string): void;
}

export interface Tuned {
  streams: readonly PlayerStream[];
  /** The directory knows streams, but none that a browser plays. */
  isIncompatible: boolean;
}

/** Everything the engine needs from outside, so that its rules can be tried without a browser. */
export interface EngineNeeds {
  sound: Sound;
  tune: (item: PlayerItem, signal: AbortSignal) => Promise<Tuned>;
  /** Tells the directory that a stream failed; nobody waits for it. */
  report: (item: PlayerItem, stream: PlayerStream, failure: Failure) => void;
  /** Plays HLS through the sound element, and gives back how to end it; rejects where that cannot be. */
  openHls: (address: string, onFailure: (failure: Failure) => void) => Promise<() => void>;
  positions: Positions;
  isSecurePage: boolean;
  isOnline: () => boolean;
  /** Calls back when there is a network again or somebody looks again, until the function it gives is called. */
  onReturn: (then: () => void) => () => void;
  /** In milliseconds, by a clock that goes on evenly whatever anybody sets. */
  now: () => number;
  /** Calls back once after some milliseconds, unless the function it gives is called first. */
  after: (ms: number, then: () => void) => () => void;
}
