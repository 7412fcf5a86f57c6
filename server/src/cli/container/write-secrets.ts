import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SECRET_BYTES = 32;

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** Where compose.yaml runs PostgreSQL. */
const databaseUrl = (password: string): string => `postgres://longwave:${password}@postgres:5432/longwave`;

/**
 * Writes the secrets of a new directory into files, readable by this user alone. What is there stays as it is: with
 * another key no password is recognised, and PostgreSQL keeps the password of its first start. The password has a folder
 * of its own, so that PostgreSQL's container gets that one and never the key. Returns the files it wrote.
 */
export function writeSecrets(folder: string): string[] {
  const written: string[] = [];
  const keep = (file: string, content: string): string => {
    const path = join(folder, file);
    if (writeOnce(path, `${content}\n`)) written.push(path);
    return readFileSync(path, 'utf8').trim();
  };
  mkdirSync(join(folder, 'database'), { recursive: true, mode: 0o700 });
  keep('member-key', newSecret());
  const password = keep('database/password', newSecret());
  keep('database-url', databaseUrl(password));
  return written;
}

/** The whole file or none of it, and never over another. */
function writeOnce(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft);
  }
}
