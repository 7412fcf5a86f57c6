import { distributeMembers } from '../../src/storage/db/distribute.ts';
import { onServer, urlOf } from '../database/database-server.ts';
import { joinDatabases } from './citus-cluster.ts';

/** Addresses of PostgreSQL servers that are the workers of DATABASE_URL, which is a coordinator then, with a comma between. */
const workers = (process.env['CITUS_WORKERS'] ?? '').split(',').filter(Boolean);

/** Whether tests have their databases on a Citus cluster. */
export const isOnCitus = (): boolean => workers.length > 0;

const onWorker = (url: string, name: string): string =>
  Object.assign(new URL(url), { pathname: `/${name}` }).href;

/** Spreads the members' tables of a database over the workers, as an operator would. */
export async function distributeCopy(name: string): Promise<void> {
  for (const url of workers) await onServer((client) => client.query(`CREATE DATABASE ${name}`), url);
  await joinDatabases(
    urlOf(name),
    workers.map((url) => onWorker(url, name)),
  );
  await onServer((client) => client.query(`ALTER DATABASE ${name} SET citus.shard_count = 4`), urlOf(name));
  await distributeMembers(urlOf(name));
}

export async function dropCopies(name: string): Promise<void> {
  for (const url of workers)
    await onServer((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`), url);
}
