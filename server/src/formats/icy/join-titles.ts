/** What Icecast sends, and nearly every player has met. */
export const METAINT = 16_000;
const BLOCK = 16;
const MAX_BLOCKS = 255;
/** Says that the title is the one that was sent last. */
export const UNCHANGED = Buffer.of(0);

/**
 * Sound with blocks of titles between, as a player expects it that sent `Icy-MetaData: 1`: sound and blocks by turns, sound
 * first and last. The next block is due after `untilBlock` bytes; all after it say that nothing has changed, since old
 * displays scroll from the start when a title is sent again.
 */
export function joinTitles(audio: Buffer, untilBlock: number, block: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let [at, due, next] = [0, untilBlock, block];
  while (audio.length - at >= due) {
    parts.push(audio.subarray(at, at + due), next);
    at += due;
    [due, next] = [METAINT, UNCHANGED];
  }
  return [...parts, audio.subarray(at)];
}

/** `StreamTitle='…';`, padded to a multiple of 16, after a byte that says how many. */
export function titleBlock(title: string): Buffer {
  // A value ends at the first `';`, and nothing can be escaped.
  const text = `StreamTitle='${cutTo(title.replaceAll("';", '’;'), BLOCK * MAX_BLOCKS - 20)}';`;
  const bytes = Buffer.from(text);
  const blocks = Math.ceil(bytes.length / BLOCK);
  const block = Buffer.alloc(1 + blocks * BLOCK);
  block[0] = blocks;
  bytes.copy(block, 1);
  return block;
}

/** At most so many bytes of UTF-8, without half a character at the end. */
function cutTo(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  return bytes.subarray(0, most).toString().replace(/�+$/, '');
}
