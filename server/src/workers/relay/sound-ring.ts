import { joinTitles, METAINT, titleBlock, UNCHANGED } from '../../formats/icy/join-titles.ts';

/** What whoever joins gets at once, so that a player has something to go on with: at least this, or this long. */
const BURST_BYTES = 64 * 1024;
const BURST_MS = 4000;
/** Less than a listener may be behind, or whoever joins would be too far behind at once. */
const MAX_KEPT_BYTES = 256 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * The sound of a tick, once for all who listen. Whoever asked for titles gets it with blocks between, and all of them at the
 * same places: after every 16,000 bytes (a unit) since the station was called.
 */
export class Piece {
  /** Whole frames. */
  readonly audio: Buffer;
  readonly #untilBlock: number;
  readonly #block: Buffer;
  readonly #title: Buffer;
  #titled: Buffer | undefined;

  constructor(audio: Buffer, titles: { untilBlock: number; block: Buffer; title: Buffer }) {
    this.audio = audio;
    this.#untilBlock = titles.untilBlock;
    this.#block = titles.block;
    this.#title = titles.title;
  }

  /** A unit ends in it. */
  get hasBlock(): boolean {
    return this.audio.length >= this.#untilBlock;
  }

  /** With blocks, for those who are in the middle of it. */
  get titled(): Buffer {
    return (this.#titled ??= this.hasBlock ? Buffer.concat(this.#parts(this.#block)) : this.audio);
  }

  /** The same, with the title in the first block, for who has not read it yet. */
  get titledAnew(): Buffer {
    return Buffer.concat(this.#parts(this.#title));
  }

  /** Up to the end of the last unit, for who is to pause after it. */
  get untilUnit(): Buffer {
    return Buffer.concat(this.#parts(this.#block).slice(0, -1));
  }

  /** From the end of the last unit, for who begins with the next one. */
  get fromUnit(): Buffer {
    return this.#parts(this.#block).at(-1) ?? NOTHING;
  }

  #parts(block: Buffer): Buffer[] {
    return joinTitles(this.audio, this.#untilBlock, block);
  }
}

/** The newest seconds of a station, for those who join, and where its titles stand. */
export class SoundRing {
  readonly #isKept: boolean;
  readonly #kept: { audio: Buffer; start: number; atMs: number }[] = [];
  /** Bytes of sound since the start. */
  #end = 0;
  #title: Buffer = UNCHANGED;
  #isNewTitle = false;
  /** Whoever joins within the same tick gets the same bytes. */
  #bursts = new Map<boolean, Buffer>();

  /** Where nobody joins, nothing is kept. */
  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  set title(title: string) {
    // Icecast says so before it knows one.
    if (title === '' && this.#title === UNCHANGED) return;
    const block = titleBlock(title);
    // Lists of segments name the song with each of them, and a station that is called anew says it anew.
    if (block.equals(this.#title)) return;
    this.#title = block;
    this.#isNewTitle = true;
    this.#bursts.clear();
  }

  push(audio: Buffer, nowMs: number): Piece {
    const block = this.#isNewTitle ? this.#title : UNCHANGED;
    const untilBlock = METAINT - (this.#end % METAINT);
    const piece = new Piece(audio, { untilBlock, block, title: this.#title });
    if (piece.hasBlock) this.#isNewTitle = false;
    if (this.#isKept) this.#keep(audio, nowMs);
    this.#bursts.clear();
    this.#end += audio.length;
    return piece;
  }

  /**
   * What whoever joins now is sent first; the next piece follows on it. With titles it begins with a unit; undefined where
   * none has begun yet.
   */
  burst(wantsTitles: boolean): Buffer | undefined {
    const made = this.#bursts.get(wantsTitles) ?? this.#makeBurst(wantsTitles);
    if (made) this.#bursts.set(wantsTitles, made);
    return made;
  }

  /** For who has heard it up to now, from another process: at most the beginning of a unit. */
  unitSoFar(): Buffer | undefined {
    const audio = Buffer.concat(this.#kept.map((kept) => kept.audio));
    const sinceUnit = this.#end % METAINT;
    return sinceUnit <= audio.length ? audio.subarray(audio.length - sinceUnit) : undefined;
  }

  /** Whether a burst with titles has one in it, or the next block has to. */
  hasBlockIn(burst: Buffer): boolean {
    return burst.length >= METAINT;
  }

  #makeBurst(wantsTitles: boolean): Buffer | undefined {
    const audio = Buffer.concat(this.#kept.map((kept) => kept.audio));
    if (!wantsTitles) return audio;
    const start = this.#end - audio.length;
    const unit = Math.ceil(start / METAINT) * METAINT;
    if (unit > this.#end) return undefined;
    return Buffer.concat(joinTitles(audio.subarray(unit - start), METAINT, this.#title));
  }

  #keep(audio: Buffer, nowMs: number): void {
    this.#kept.push({ audio, start: this.#end, atMs: nowMs });
    const end = this.#end + audio.length;
    for (let [oldest, next] = this.#kept; oldest && next; [oldest, next] = this.#kept) {
      const isEnough = end - next.start >= BURST_BYTES + METAINT && nowMs - next.atMs > BURST_MS;
      if (!isEnough && end - oldest.start <= MAX_KEPT_BYTES) break;
      this.#kept.shift();
    }
  }
}
