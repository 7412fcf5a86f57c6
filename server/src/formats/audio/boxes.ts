/** One box of MP4, outermost level. */
export interface Box {
  type: string;
  /** With the header that says its length and type. */
  whole: Buffer;
  content: Buffer;
}

const MOST_BOXES = 200;
const HEADER = 8;

/** The boxes that are whole. Those longer than can be kept in a segment are none. */
export function boxesOf(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  let at = 0;
  while (at + HEADER <= bytes.length && boxes.length < MOST_BOXES) {
    const length = bytes.readUInt32BE(at);
    if (length < HEADER || at + length > bytes.length) break;
    const whole = bytes.subarray(at, at + length);
    boxes.push({ type: whole.toString('latin1', 4, HEADER), whole, content: whole.subarray(HEADER) });
    at += length;
  }
  return boxes;
}
