import { type SilentFrame, silentFrame } from '../../../formats/audio/silent-frame.ts';
import { WholeFrames } from '../../../formats/audio/whole-frames.ts';

/** What a station sends at the start lasts a player for so long; then it needs silence, or it hangs up. */
const QUIET_MS = 3000;
/**
 * Twice what the best of stations sends: one that sends faster is a file, or means harm. Together with what a listener may
 * have unsent before it is waited for, less than one may be behind.
 */
const MAX_TICK_BYTES = 192 * 1024;
const NOTHING = Buffer.alloc(0);

/** What arrives from a station between two ticks, in whole frames; while nothing arrives, silence as long as that lasts. */
export class IncomingSound {
  readonly #frames = new WholeFrames();
  /** Of the connection before. */
  #before = NOTHING;
  #quietSinceMs: number | undefined;
  /** Set while there is nothing from the station: what is sent instead, and up to when it was. */
  #filler: { frame: SilentFrame; untilMs: number } | undefined;

  /** Another connection to the station begins. */
  seam(): void {
    this.#before = Buffer.concat([this.#before, this.#frames.take()]);
    this.#frames.seam();
  }

  /** Whether there is room for more before the next tick. */
  body(piece: Buffer): boolean {
    this.#frames.push(piece);
    return this.#frames.length < MAX_TICK_BYTES;
  }

  /** Nothing has come from the station that could be heard. */
  get isQuiet(): boolean {
    return this.#quietSinceMs !== undefined;
  }

  /** All since the last time. */
  collect(nowMs: number): Buffer | undefined {
    const all = this.#frames.take();
    // A page, or what is left of a broken stream: there is no frame in all of it.
    const taken = this.#frames.hadFrame ? all : NOTHING;
    const arrived = this.#before.length > 0 ? Buffer.concat([this.#before, taken]) : taken;
    this.#before = NOTHING;
    if (arrived.length === 0) return this.#silence(nowMs);
    this.#quietSinceMs = undefined;
    this.#filler = undefined;
    return arrived;
  }

  #silence(nowMs: number): Buffer | undefined {
    this.#quietSinceMs ??= nowMs;
    if (nowMs - this.#quietSinceMs < QUIET_MS) return undefined;
    if (!this.#filler) {
      const frame = this.#frames.lastHeader && silentFrame(this.#frames.lastHeader);
      if (!frame) return undefined;
      this.#filler = { frame, untilMs: nowMs - 1 };
    }
    const { frame } = this.#filler;
    // A machine that slept has no minutes of silence to send.
    if (nowMs - this.#filler.untilMs > QUIET_MS) this.#filler.untilMs = nowMs - 1;
    const frames = Math.ceil((nowMs - this.#filler.untilMs) / frame.ms);
    this.#filler.untilMs += frames * frame.ms;
    return frames > 0 ? Buffer.concat(Array.from({ length: frames }, () => frame.bytes)) : undefined;
  }
}
