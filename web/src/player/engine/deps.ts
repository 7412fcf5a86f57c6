import type { PlayerItem, PlayerStream } from './state.ts';

/** The part of the browser's audio element that the engine uses. */
export interface Sound {
  src: string;
  currentTime: number;
  readonly duration: number;
  volume: number;
  muted: boolean;
  readonly paused: boolean;
  readonly ended: boolean;
  readonly error: { readonly code: number; readonly message: string } | null;
  play(): Promise<void>;
  pause(): void;
  load(): void;
  removeAttribute(name: string): void;
  canPlayType(type: string): string;
  addEventListener(type: SoundEvent, listener: () => void, options?: { signal: AbortSignal }): void;
}

export type SoundEvent = 'playing' | 'error' | 'ended' | 'timeupdate' | 'durationchange';

/** How a stream failed, in the player's terms. */
export interface Failure {
  message: string;
  /** The browser's media error; 0 if it gave none. */
  code: number;
}

/** Saved positions of topics, by guide ID, in seconds. */
export interface Positions {
  find(guideId: string): number | undefined;
  set(guideId: string, seconds: number): void;
  forget(guideId: string): void;
}

export interface Tuned {
  streams: readonly PlayerStream[];
  /** The directory has streams, but none that a browser plays. */
  isIncompatible: boolean;
}

/** The engine's dependencies, injected so that it can be tested without a browser. */
export interface EngineDeps {
  sound: Sound;
  tune: (item: PlayerItem, signal: AbortSignal) => Promise<Tuned>;
  /** Reports to the directory that a stream failed; fire and forget. */
  report: (item: PlayerItem, stream: PlayerStream, failure: Failure) => void;
  /** Plays HLS through the audio element and returns how to stop; rejects if that is not possible, or not wanted any more. */
  openHls: (
    address: string,
    onFailure: (failure: Failure) => void,
    signal: AbortSignal,
  ) => Promise<() => void>;
  positions: Positions;
  isSecurePage: boolean;
  /** Whether the browser has a network; what is behind it, it does not know. */
  isOnline: () => boolean;
  /** Whether our own server answers, however long that takes; by turns over connections of two kinds. */
  isReachable: (signal: AbortSignal, look: number) => Promise<boolean>;
  /** Calls back when the network is back or the page becomes visible, until the returned function is called. */
  onReturn: (then: () => void) => () => void;
  /** In milliseconds, by a monotonic clock. */
  now: () => number;
  /** In milliseconds since 1970; unlike the other clock, it goes on while the device is asleep. */
  wallNow: () => number;
  /** Calls back once after some milliseconds, unless the returned function is called first. */
  after: (ms: number, then: () => void) => () => void;
}
