import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const { W_OK, X_OK } = constants;

/** Made where it is missing, for its owner alone; says why in words where backups cannot be written there. */
export function requireFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, W_OK | X_OK);
  } catch (error) {
    throw new Error(`backups cannot be written to ${folder}: ${whyNot(folder, error)}`, { cause: error });
  }
}

function whyNot(folder: string, error: unknown): string {
  const there = nearestThatIs(folder);
  // Of a path mkdir says ENOENT too where its first folder cannot be made.
  const reason = codeOf(error) === 'ENOENT' ? (refusalOf(there) ?? error) : error;
  switch (codeOf(reason)) {
    case 'EROFS':
      return (
        `${there} is read-only for this process. Mount it for writing; a service of the Debian package writes to ` +
        '/var/backups/longwave alone until systemctl edit longwave-worker longwave allows it more (docs/backup.md)'
      );
    case 'EACCES':
    case 'EPERM':
      return (
        `the user ${process.geteuid?.() ?? ''} may not write to ${there}. Make a folder that belongs to the user whom longwave ` +
        'runs as (chown); its services see no home folders at all'
      );
    default:
      return `${error instanceof Error ? error.message : String(error)}. Choose another folder`;
  }
}

/** The folder itself, or what it would be made in. */
function nearestThatIs(path: string): string {
  const full = resolve(path);
  return existsSync(full) || dirname(full) === full ? full : nearestThatIs(dirname(full));
}

function refusalOf(folder: string): unknown {
  try {
    accessSync(folder, W_OK | X_OK);
    return undefined;
  } catch (error) {
    return error;
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
