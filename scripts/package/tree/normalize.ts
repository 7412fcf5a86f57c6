import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  createReadStream,
  lutimesSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
} from 'node:fs';
import { join } from 'node:path';

/** Scripts and Node itself can be run; libraries and modules are only read. */
function isProgram(root: string, path: string): boolean {
  if (path === 'node/bin/node') return true;
  const start = Buffer.alloc(2);
  const file = openSync(join(root, path), 'r');
  readSync(file, start);
  closeSync(file);
  return start.toString() === '#!';
}

/** Gives every file the same date and a plain mode, and returns a digest of all paths, modes and contents. */
export async function normalize(root: string, date: Date): Promise<string> {
  const digest = createHash('sha256');
  for (const path of listBelow(root)) {
    const file = join(root, path);
    const isFolder = lstatSync(file).isDirectory();
    const mode = isFolder || isProgram(root, path) ? 0o755 : 0o644;
    chmodSync(file, mode);
    digest.update(`${path}\0${mode}\0`);
    if (!isFolder) for await (const chunk of createReadStream(file)) digest.update(chunk);
  }
  setDates(root, date);
  return digest.digest('hex');
}

/** Folders after what they hold, whose dates change with it. */
export function setDates(root: string, date: Date): void {
  for (const path of listBelow(root).toReversed()) lutimesSync(join(root, path), date, date);
  lutimesSync(root, date, date);
}

const listBelow = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted();
