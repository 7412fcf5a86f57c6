import type { Writable } from 'node:stream';
import { WholeFrames } from '../../formats/audio/whole-frames.ts';
import { TitleJoiner } from '../../formats/icy/title-joiner.ts';

/** With more than this unsent a listener is too far behind to catch up: twenty seconds of 128 kbit/s. */
const MAX_BEHIND = 320_000;
/** A listener who cannot follow is left out of some seconds, and not hung up on, unless it goes on like this. */
const MAX_SKIPS = 3;
const SKIPS_WITHIN_MS = 60_000;
const MAX_STUCK_MS = 30_000;

/** A radio's connection. */
type Sink = Pick<Writable, 'write' | 'cork' | 'uncork' | 'writableLength'>;

/**
 * One radio that listens. What arrives is collected and written every tick: the number of writes is what a listener
 * costs. One that reads too slowly is skipped ahead, never waited for.
 */
export class RelayListener {
  readonly #socket: Sink;
  readonly #frames = new WholeFrames();
  readonly #titles: TitleJoiner | undefined;
  #pieces: Buffer[] = [];
  #stuckSinceMs: number | undefined;
  #skips: number[] = [];

  constructor(socket: Sink, wantsTitles: boolean) {
    this.#socket = socket;
    this.#titles = wantsTitles ? new TitleJoiner() : undefined;
  }

  title(title: string): void {
    if (this.#titles) this.#titles.title = title;
  }

  /** Another connection to the station begins. */
  seam(): void {
    this.#frames.seam();
  }

  body(piece: Buffer): void {
    if (this.#stuckSinceMs !== undefined) return;
    const whole = this.#frames.push(piece);
    // The piece belongs to whoever reads the station.
    if (whole.length > 0) this.#pieces.push(Buffer.from(whole));
  }

  /** Writes what has arrived since the last tick. Gives why the listener has to go, if it has to. */
  tick(nowMs: number): 'slow' | undefined {
    if (this.#stuckSinceMs !== undefined) return this.#waitForDrain(nowMs, this.#stuckSinceMs);
    if (this.#pieces.length === 0) return undefined;
    const audio = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
    this.#pieces = [];
    const parts = this.#titles ? this.#titles.push(audio) : [audio];
    if (parts.length > 1) this.#socket.cork();
    for (const part of parts) this.#socket.write(part);
    if (parts.length > 1) this.#socket.uncork();
    if (this.#socket.writableLength > MAX_BEHIND) this.#stuckSinceMs = nowMs;
    return undefined;
  }

  #waitForDrain(nowMs: number, sinceMs: number): 'slow' | undefined {
    if (this.#socket.writableLength > 0) return nowMs - sinceMs > MAX_STUCK_MS ? 'slow' : undefined;
    this.#skips = [...this.#skips.filter((atMs) => nowMs - atMs < SKIPS_WITHIN_MS), nowMs];
    if (this.#skips.length > MAX_SKIPS) return 'slow';
    this.#stuckSinceMs = undefined;
    this.#frames.seam();
    return undefined;
  }
}
