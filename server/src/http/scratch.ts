import type { ServerResponse } from 'node:http';

/** Most answers fit; what does not gets memory of its own. */
const SCRATCH_BYTES = 64 * 1024;

let scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
/** What lies before is still being read by answers that were given away. */
let free = 0;

/**
 * Memory for one answer, to be filled and sent before anything else is done. It is the same piece again and again, which
 * stays in the processor's cache and leaves nothing to collect.
 */
export function takeScratch(length: number): Buffer {
  if (length > SCRATCH_BYTES) return Buffer.allocUnsafeSlow(length);
  if (length > SCRATCH_BYTES - free) [scratch, free] = [Buffer.allocUnsafeSlow(SCRATCH_BYTES), 0];
  return scratch.subarray(free, free + length);
}

/**
 * After an answer was given to its socket: unless the system has taken every byte of it, its part of the piece is left to
 * whoever still reads from it, and no more than that, so that a thousand small answers that nobody fetches do not hold a
 * thousand pieces. An answer that waits behind others on its connection has no socket yet.
 */
export function releaseScratch(room: Buffer, { socket, writableLength }: ServerResponse): void {
  if (room.buffer !== scratch.buffer) return;
  const isTaken = socket !== null && socket.writableLength === 0 && writableLength === 0;
  if (!isTaken) free += room.length;
}
