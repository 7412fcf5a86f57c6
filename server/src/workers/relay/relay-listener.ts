import type { Writable } from 'node:stream';
import { type SilentFrame, silentFrame } from '../../formats/audio/silent-frame.ts';
import { WholeFrames } from '../../formats/audio/whole-frames.ts';
import { TitleJoiner } from '../../formats/icy/title-joiner.ts';

/** With more than this unsent a listener is too far behind to catch up: twenty seconds of 128 kbit/s. */
const MAX_BEHIND = 320_000;
/** A listener who cannot follow is left out of some seconds, and not hung up on, unless it goes on like this. */
const MAX_SKIPS = 3;
const SKIPS_WITHIN_MS = 60_000;
const MAX_STUCK_MS = 30_000;
/** What a station sends at the start lasts a player for so long; then it needs silence, or it hangs up. */
const QUIET_MS = 3000;

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
  #lastBodyMs: number | undefined;
  /** Set while there is nothing from the station: what is sent instead, and up to when it was. */
  #filler: { frame: SilentFrame; untilMs: number } | undefined;

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
    this.#lastBodyMs = undefined;
    this.#filler = undefined;
    // The piece belongs to whoever reads the station.
    if (whole.length > 0) this.#pieces.push(Buffer.from(whole));
  }

  /** Writes what has arrived since the last tick. Gives why the listener has to go, if it has to. */
  tick(nowMs: number): 'slow' | undefined {
    if (this.#stuckSinceMs !== undefined) return this.#waitForDrain(nowMs, this.#stuckSinceMs);
    if (this.#pieces.length === 0) this.#fill(nowMs);
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

  /** While nothing comes from the station, silence as long as the time that passes. */
  #fill(nowMs: number): void {
    this.#lastBodyMs ??= nowMs;
    if (nowMs - this.#lastBodyMs < QUIET_MS) return;
    if (!this.#filler) {
      const frame = this.#frames.lastHeader && silentFrame(this.#frames.lastHeader);
      if (!frame) return;
      this.#filler = { frame, untilMs: nowMs - 1 };
    }
    const { frame } = this.#filler;
    // A machine that slept has no minutes of silence to send.
    if (nowMs - this.#filler.untilMs > QUIET_MS) this.#filler.untilMs = nowMs - 1;
    for (; this.#filler.untilMs < nowMs; this.#filler.untilMs += frame.ms) this.#pieces.push(frame.bytes);
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
