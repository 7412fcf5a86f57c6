import { createHash } from 'node:crypto';
import { chmodSync, createReadStream, lutimesSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Libraries and modules are only read. */
const EXECUTABLE = new Set(['bin/longwave', 'node/bin/node']);

/** Gives every file the same date and a plain mode, and returns a digest of all paths, modes and contents. */
export async function normalize(root: string, date: Date): Promise<string> {
  const digest = createHash('sha256');
  for (const path of listBelow(root)) {
    const file = join(root, path);
    const isFolder = lstatSync(file).isDirectory();
    const mode = isFolder || EXECUTABLE.has(path) ? 0o755 : 0o644;
    chmodSync(file, mode);
    digest.update(`${path}\0${mode}\0`);
    if (!isFolder) for await (const chunk of createReadStream(file)) digest.update(chunk);
  }
  for (const path of listBelow(root).toReversed()) lutimesSync(join(root, path), date, date);
  lutimesSync(root, date, date);
  return digest.digest('hex');
}

const listBelow = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted();
