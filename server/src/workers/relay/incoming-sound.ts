import { type SilentFrame, silentFrame } from '../../formats/audio/silent-frame.ts';
import { WholeFrames } from '../../formats/audio/whole-frames.ts';

/** What a station sends at the start lasts a player for so long; then it needs silence, or it hangs up. */
const QUIET_MS = 3000;

/** What arrives from a station between two ticks, in whole frames; while nothing arrives, silence as long as that lasts. */
export class IncomingSound {
  readonly #frames = new WholeFrames();
  #pieces: Buffer[] = [];
  #quietSinceMs: number | undefined;
  /** Set while there is nothing from the station: what is sent instead, and up to when it was. */
  #filler: { frame: SilentFrame; untilMs: number } | undefined;

  /** Another connection to the station begins. */
  seam(): void {
    this.#frames.seam();
  }

  body(piece: Buffer): void {
    const whole = this.#frames.push(piece);
    this.#quietSinceMs = undefined;
    this.#filler = undefined;
    // The piece belongs to whoever reads the station.
    if (whole.length > 0) this.#pieces.push(Buffer.from(whole));
  }

  /** All since the last time. */
  collect(nowMs: number): Buffer | undefined {
    if (this.#pieces.length === 0) this.#fill(nowMs);
    const [only, ...more] = this.#pieces;
    const all = only && more.length > 0 ? Buffer.concat(this.#pieces) : only;
    this.#pieces = [];
    return all;
  }

  #fill(nowMs: number): void {
    this.#quietSinceMs ??= nowMs;
    if (nowMs - this.#quietSinceMs < QUIET_MS) return;
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
}
