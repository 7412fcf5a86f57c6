import { readFileSync, statSync } from 'node:fs';
import { decodeText } from '../../formats/decode-text.ts';

const MAX_BYTES = 16 * 2 ** 20;

/** The text of a file that is read as a whole, in whatever encoding. */
export function readListFile(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file?.isFile()) throw new Error(`there is no file ${path}`);
  if (file.size > MAX_BYTES) throw new Error(`${path} is over ${MAX_BYTES} bytes: split it`);
  return decodeText(readFileSync(path));
}
