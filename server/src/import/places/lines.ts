import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 10;

/**
 * The lines of a UTF-8 file, read without turning to the event loop: COPY takes its rows from a plain iterator, so that
 * each is dropped as soon as it is written. Every line is a string of its own and keeps no larger one in memory.
 */
export function* readLines(file: string): Generator<string> {
  const handle = openSync(file, 'r');
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let kept = 0;
    for (;;) {
      const size = kept + readSync(handle, buffer, kept, CHUNK_BYTES - kept, null);
      if (size === kept) break;
      const end = buffer.subarray(0, size).lastIndexOf(NEWLINE) + 1;
      if (end === 0 && size === CHUNK_BYTES)
        throw new Error(`${file} has a line longer than ${CHUNK_BYTES} bytes`);
      yield* linesOf(buffer.subarray(0, end));
      kept = buffer.copy(buffer, 0, end, size);
    }
    if (kept > 0) yield buffer.toString('utf8', 0, kept);
  } finally {
    closeSync(handle);
  }
}

function* linesOf(bytes: Buffer): Generator<string> {
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(NEWLINE, start);
    yield bytes.toString('utf8', start, end);
    start = end + 1;
  }
}
