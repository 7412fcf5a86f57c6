import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, chownSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Account {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root, so root runs it as the account that the system's package created. */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return { uid: idOfPostgres('-u'), gid: idOfPostgres('-g') };
}

const idOfPostgres = (flag: '-u' | '-g'): number =>
  Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));

/**
 * Where the servers store their data: `.services` in the checkout, or `LONGWAVE_SERVICES_DIR`. If root's checkout is
 * where the postgres account has no access (under /root, in a private temporary folder), a folder of its own in
 * /var/tmp.
 */
export function servicesFolder(checkout: string): string {
  const chosen = process.env['LONGWAVE_SERVICES_DIR'] ?? join(checkout, '.services');
  const folder = walkableByAll(dirname(chosen)) ? chosen : fallbackFolder(checkout);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const account = unprivilegedAccount();
  if (account) chownSync(folder, account.uid, account.gid);
  accessSync(folder, constants.W_OK);
  return folder;
}

function fallbackFolder(checkout: string): string {
  return `/var/tmp/longwave-services-${createHash('sha256').update(checkout).digest('hex').slice(0, 12)}`;
}

function walkableByAll(folder: string): boolean {
  if (process.getuid?.() !== 0) return true;
  mkdirSync(folder, { recursive: true });
  for (let path = folder; path !== '/'; path = dirname(path))
    if (!(statSync(path).mode & 0o001)) return false;
  return true;
}
