import type { Writable } from 'node:stream';
import type { Piece, SoundRing } from './sound-ring.ts';

/** With more than this unsent a listener is too far behind to catch up: twenty seconds of 128 kbit/s. */
const MAX_BEHIND = 320_000;
/** Four seconds of it. */
const FULL = 64 * 1024;
/** A listener who cannot follow is left out of some seconds, and not hung up on, unless it goes on like this. */
const MAX_SKIPS = 3;
const SKIPS_WITHIN_MS = 60_000;
const MAX_STUCK_MS = 30_000;
const NOTHING = Buffer.alloc(0);

/** A radio's connection. */
type Sink = Pick<Writable, 'write' | 'writableLength'>;

/**
 * One radio that listens, written to once a tick: the number of writes is what a listener costs. One that reads too slowly
 * is skipped ahead, never waited for:
 *
 *   playing -> (too far behind) -> pausing, until a unit ends -> paused, until all is sent -> waiting for a unit -> playing
 *
 * Units matter to those alone who asked for titles; the others pause and go on between any two pieces.
 */
export class RelayListener {
  readonly #socket: Sink;
  readonly #wantsTitles: boolean;
  isLeaving = false;
  #state: 'playing' | 'pausing' | 'paused' | 'waiting' = 'playing';
  #hasTitle = false;
  #pausedAtMs = 0;
  #skips: number[] = [];

  constructor(socket: Sink, wantsTitles: boolean) {
    this.#socket = socket;
    this.#wantsTitles = wantsTitles;
  }

  /** Has so much to read still that a station that is faster than it plays can wait. */
  get isFull(): boolean {
    return this.#socket.writableLength > FULL;
  }

  /** With what others have just heard. */
  join(ring: SoundRing): void {
    const burst = ring.burst(this.#wantsTitles);
    if (!burst) this.#state = 'waiting';
    else if (burst.length > 0) this.#socket.write(burst);
    this.#hasTitle = burst !== undefined && ring.hasBlockIn(burst);
  }

  /** In the middle of the sound, from another process. */
  goOn(ring: SoundRing): void {
    const begun = this.#wantsTitles ? ring.unitSoFar() : NOTHING;
    if (!begun) this.#state = 'waiting';
    else if (begun.length > 0) this.#socket.write(begun);
  }

  /** Pauses it where another process can go on. */
  leave(): void {
    this.isLeaving = true;
    if (this.#state === 'playing') this.#state = this.#wantsTitles ? 'pausing' : 'paused';
    if (this.#state === 'waiting') this.#state = 'paused';
  }

  /** Nothing of it is in this process any more. */
  get hasLeft(): boolean {
    return this.isLeaving && this.#state === 'paused' && this.#socket.writableLength === 0;
  }

  /** With the sound of a tick, if there is any. Gives why the listener has to go, if it has to. */
  tick(piece: Piece | undefined, nowMs: number): 'slow' | undefined {
    if (this.#state === 'paused' && this.isLeaving) return undefined;
    if (this.#state === 'paused' && !this.#isResumed(nowMs))
      return this.#skips.length > MAX_SKIPS || nowMs - this.#pausedAtMs > MAX_STUCK_MS ? 'slow' : undefined;
    if (!piece) return undefined;
    if (this.#wantsTitles) this.#sendTitled(piece);
    else this.#socket.write(piece.audio);
    if (this.#state !== 'playing' || this.#socket.writableLength <= MAX_BEHIND) return undefined;
    this.#state = this.#wantsTitles ? 'pausing' : 'paused';
    this.#pausedAtMs = nowMs;
    return undefined;
  }

  #sendTitled(piece: Piece): void {
    if (!piece.hasBlock) {
      if (this.#state !== 'waiting') this.#socket.write(piece.audio);
    } else if (this.#state === 'waiting') {
      this.#state = 'playing';
      this.#hasTitle = false;
      if (piece.fromUnit.length > 0) this.#socket.write(piece.fromUnit);
    } else if (this.#state === 'pausing') {
      this.#state = 'paused';
      this.#socket.write(piece.untilUnit);
    } else {
      this.#socket.write(this.#hasTitle ? piece.titled : piece.titledAnew);
      this.#hasTitle = true;
    }
  }

  #isResumed(nowMs: number): boolean {
    if (this.#socket.writableLength > 0) return false;
    this.#skips = [...this.#skips.filter((atMs) => nowMs - atMs < SKIPS_WITHIN_MS), nowMs];
    if (this.#skips.length > MAX_SKIPS) return false;
    this.#state = this.#wantsTitles ? 'waiting' : 'playing';
    return true;
  }
}
