import { statfs } from 'node:fs/promises';
import type { Queryable } from '../../db/pool.ts';
import { type Finding, note, warning, well } from './finding.ts';
import { findDataFolder } from './postgres-queries.ts';
import { spellBytes } from './spell.ts';

const NAME = 'disk';
/** PostgreSQL stops when there is none left, in the midst of what it writes. */
const LITTLE_BYTES = 2e9;

/** What the database takes, and where it can be seen from here, what is left for it. */
export async function roomOnDisk(db: Queryable, bytes: number): Promise<Finding> {
  const folder = await findDataFolder(db);
  return diskLine(bytes, folder === undefined ? undefined : await freeBytes(folder));
}

export function diskLine(bytes: number, free: number | undefined): Finding {
  const taken = `the database takes ${spellBytes(bytes)}`;
  if (free === undefined) return note(NAME, `${taken}; how much is free cannot be seen from here`);
  const text = `${taken}, ${spellBytes(free)} are free`;
  return free < LITTLE_BYTES
    ? warning(NAME, text, 'make room on the disk of PostgreSQL; without any it stops')
    : well(NAME, text);
}

/** Undefined where there is no such folder: PostgreSQL then runs in a container or behind a tunnel. */
export async function freeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
