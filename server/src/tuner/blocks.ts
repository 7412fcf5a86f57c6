const BYTES = 32 * 1024;
/** As many as are read at once by the largest worker, or so; more are left to the garbage collector. */
const MOST_FREE = 200;
const free: Buffer[] = [];

/**
 * Memory that what comes over a connection is read into, used again and again: a third of what a probe took was memory
 * asked for anew. Whoever gives a block back must not look at it again.
 */
export const takeBlock = (): Buffer => free.pop() ?? Buffer.allocUnsafeSlow(BYTES);

export function giveBlock(block: Buffer): void {
  if (block.length === BYTES && free.length < MOST_FREE) free.push(block);
}
