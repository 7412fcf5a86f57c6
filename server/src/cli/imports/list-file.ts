import { createReadStream, openSync, type ReadStream, readFileSync, statSync } from 'node:fs';
import { decodeText } from '../../formats/decode-text.ts';
import { reasonOf } from './report-file.ts';

const MAX_BYTES = 16 * 2 ** 20;
const CHUNK = 256 * 1024;

/** The text of a file that is read as a whole, in whatever encoding. */
export function readListFile(path: string): string {
  if (sizeOf(path) > MAX_BYTES) throw new Error(`${path} is over ${MAX_BYTES} bytes: split it`);
  return decodeText(readable(path, () => readFileSync(path)));
}

/** A file that is read while it is imported; opened at once, since nobody listens yet to what goes wrong later. */
export function openListFile(path: string): { file: ReadStream; size: number } {
  const size = sizeOf(path);
  const file = createReadStream(path, {
    fd: readable(path, () => openSync(path, 'r')),
    highWaterMark: CHUNK,
  });
  return { file, size };
}

function sizeOf(path: string): number {
  const file = readable(path, () => statSync(path, { throwIfNoEntry: false }));
  if (!file?.isFile()) throw new Error(`there is no file ${path}`);
  return file.size;
}

function readable<T>(path: string, read: () => T): T {
  let reason: string;
  try {
    return read();
  } catch (error) {
    reason = reasonOf(error);
  }
  throw new Error(`${path} cannot be read: ${reason}; give a file that you may read`);
}
