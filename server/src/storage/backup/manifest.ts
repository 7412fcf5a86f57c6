import { createHash } from 'node:crypto';
import { createReadStream, existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseJson } from '../../lib/parse-json.ts';
import type { Contents } from './contents.ts';

/** `daily` backups and those before an upgrade or a restore are counted apart when old ones are deleted. */
export type BackupKind = 'daily' | 'restore-point';

/** What is written beside a dump, last: a dump without it is not a backup. */
export interface Manifest {
  format: 1;
  madeAt: string;
  kind: BackupKind;
  /** Of Longwave, and the last migration that the database had. */
  version: string;
  schema: string;
  postgres: string;
  /** Which MEMBER_KEY the accounts need, and the one before while it is being replaced; tells nothing about them. */
  keys: readonly string[];
  bytes: number;
  sha256: string;
  tables: Contents;
}

/** A backup in a folder. */
export interface Backup {
  dumpFile: string;
  manifestFile: string;
  manifest: Manifest;
}

/** The time comes first, so that names sort by age. */
export const nameOf = (at: Temporal.Instant, kind: BackupKind): string =>
  `longwave-${at.toString({ smallestUnit: 'millisecond' }).replaceAll(/[-:.]/g, '')}${kind === 'daily' ? '' : `-${kind}`}`;

/** By either of its files. */
export function readBackup(file: string): Backup {
  const name = basename(file).replace(/\.(?:dump|json)$/, '');
  const [dumpFile, manifestFile] = ['dump', 'json'].map((end) => join(dirname(file), `${name}.${end}`));
  if (dumpFile === undefined || manifestFile === undefined || !existsSync(dumpFile))
    throw new Error(`there is no backup ${file}; give the .dump file that longwave backup wrote`);
  if (!existsSync(manifestFile))
    throw new Error(
      `${basename(manifestFile)} is missing beside ${dumpFile}: it says what the dump holds. Copy both files, ` +
        'or restore a plain dump by hand with pg_restore',
    );
  return {
    dumpFile,
    manifestFile,
    manifest: parseManifest(readFileSync(manifestFile, 'utf8'), manifestFile),
  };
}

function parseManifest(text: string, file: string): Manifest {
  const value = parseJson(text);
  if (isManifest(value)) return value;
  throw new Error(`${file} is not a manifest that this version of longwave reads; it may be of a newer one`);
}

/** Written by us; the checksum of the dump is compared before anything is done with it. */
const isManifest = (value: unknown): value is Manifest =>
  typeof value === 'object' &&
  value !== null &&
  'format' in value &&
  value.format === 1 &&
  'sha256' in value &&
  'tables' in value;

/** The backups of a folder, the newest first; unfinished ones are none. */
export const listBackups = (folder: string): Backup[] =>
  globSync('longwave-*.json', { cwd: folder })
    .toSorted()
    .toReversed()
    .flatMap((name) => {
      try {
        return [readBackup(join(folder, name))];
      } catch {
        return [];
      }
    });

export async function sumOfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
