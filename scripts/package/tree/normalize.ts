import { createHash } from 'node:crypto';
import {
  chmodSync,
  createReadStream,
  lstatSync,
  lutimesSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Node itself and our launcher; the rest is only read. */
const PROGRAMS = new Set(['node/bin/node', 'bin/longwave']);

/** Modules are never run by name, which would need a Node on the PATH: their `#!` becomes a comment of the same length. */
function unmarkScript(file: string): void {
  if (!/\.(?:[cm]?js|ts)$/u.test(file)) return;
  const text = readFileSync(file, 'utf8');
  if (text.startsWith('#!')) writeFileSync(file, `//${text.slice(2)}`);
}

/** Gives every file the same date and a plain mode, and returns a digest of all paths, modes and contents. */
export async function normalize(root: string, date: Date): Promise<string> {
  const digest = createHash('sha256');
  for (const path of listBelow(root)) {
    const file = join(root, path);
    const isFolder = lstatSync(file).isDirectory();
    const mode = isFolder || PROGRAMS.has(path) ? 0o755 : 0o644;
    if (!isFolder) unmarkScript(file);
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
