export interface Point {
  x: number;
  y: number;
  /** Whether the point is on the curve, or a control point. */
  isOn: boolean;
}

export type Contour = Point[];

const [ON, X_SHORT, Y_SHORT, REPEAT, X_SAME, Y_SAME] = [1, 2, 4, 8, 16, 32];
const [WORDS, OFFSETS, SCALE, MORE, SCALE_XY, SCALE_2X2] = [1, 2, 8, 32, 64, 128];

/** The `glyf` table of a font. */
export class OutlineReader {
  readonly #glyf: Buffer;
  readonly #loca: Buffer;
  readonly #isLong: boolean;

  constructor(glyf: Buffer, loca: Buffer, isLong: boolean) {
    this.#glyf = glyf;
    this.#loca = loca;
    this.#isLong = isLong;
  }

  read(glyph: number): Contour[] {
    const [start, end] = [this.#offsetOf(glyph), this.#offsetOf(glyph + 1)];
    if (start === end) return [];
    const outline = this.#glyf.subarray(start, end);
    const count = outline.readInt16BE(0);
    return count >= 0 ? readSimple(outline, count) : this.#readComposite(outline);
  }

  #offsetOf(glyph: number): number {
    return this.#isLong ? this.#loca.readUInt32BE(glyph * 4) : this.#loca.readUInt16BE(glyph * 2) * 2;
  }

  /** Accented letters are composites of others; none of those used here is rotated or scaled. */
  #readComposite(outline: Buffer): Contour[] {
    const contours: Contour[] = [];
    for (let at = 10, flags = MORE; (flags & MORE) !== 0;) {
      flags = outline.readUInt16BE(at);
      const part = outline.readUInt16BE(at + 2);
      if ((flags & (SCALE | SCALE_XY | SCALE_2X2)) !== 0 || (flags & OFFSETS) === 0)
        throw new Error('a glyph component is rotated or scaled, which is not supported');
      const isWide = (flags & WORDS) !== 0;
      const dx = isWide ? outline.readInt16BE(at + 4) : outline.readInt8(at + 4);
      const dy = isWide ? outline.readInt16BE(at + 6) : outline.readInt8(at + 5);
      for (const contour of this.read(part))
        contours.push(contour.map(({ x, y, isOn }) => ({ x: x + dx, y: y + dy, isOn })));
      at += isWide ? 8 : 6;
    }
    return contours;
  }
}

function readSimple(outline: Buffer, count: number): Contour[] {
  const ends = Array.from({ length: count }, (_, n) => outline.readUInt16BE(10 + n * 2));
  const total = (ends.at(-1) ?? -1) + 1;
  const flagsAt = 12 + count * 2 + outline.readUInt16BE(10 + count * 2);
  const { flags, at } = readFlags(outline, flagsAt, total);
  const xs = readAxis(outline, at, flags, X_SHORT, X_SAME);
  const ys = readAxis(outline, xs.at, flags, Y_SHORT, Y_SAME);
  const points = flags.map((flag, n) => ({
    x: xs.values[n] ?? 0,
    y: ys.values[n] ?? 0,
    isOn: (flag & ON) !== 0,
  }));
  return ends.map((end, n) => points.slice((ends[n - 1] ?? -1) + 1, end + 1));
}

function readFlags(outline: Buffer, from: number, total: number): { flags: number[]; at: number } {
  const flags: number[] = [];
  let at = from;
  while (flags.length < total) {
    const flag = outline.readUInt8(at++);
    flags.push(flag);
    if ((flag & REPEAT) === 0) continue;
    for (let times = outline.readUInt8(at++); times > 0; times -= 1) flags.push(flag);
  }
  return { flags, at };
}

function readAxis(
  outline: Buffer,
  from: number,
  flags: readonly number[],
  short: number,
  same: number,
): { values: number[]; at: number } {
  let [at, value] = [from, 0];
  const values = flags.map((flag) => {
    if ((flag & short) !== 0)
      value += (flag & same) === 0 ? -outline.readUInt8(at++) : outline.readUInt8(at++);
    else if ((flag & same) === 0) {
      value += outline.readInt16BE(at);
      at += 2;
    }
    return value;
  });
  return { values, at };
}
