import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError, type Pool } from 'pg';
import { createPool } from '../../src/storage/db/pool.ts';

/** The server's address; tests run by `npm test`, which brings it up. */
export function serverUrl(): string {
  const url = process.env['DATABASE_URL'];
  if (!url) throw new Error('DATABASE_URL is not set; run the tests with npm test, which starts PostgreSQL');
  return url;
}

export function urlOf(database: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  return url.href;
}

export async function onServer<T>(work: (client: Client) => Promise<T>, url = serverUrl()): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Patient, as no caller of the service is: the first connection to a database that was just cloned takes seconds on a machine
 * with much to do.
 */
export const poolOf = (databaseUrl: string, size: number): Pool =>
  createPool({ databaseUrl, size, applicationName: 'test', ...PATIENT });

const PATIENT = { statementTimeoutMs: 300_000, connectTimeoutMs: 120_000 };

const IN_USE = '55006';

/**
 * Copies or renames a database. PostgreSQL waits five seconds for who is still connected to it: an autovacuum worker, or a
 * connection that was closed a moment ago. On a machine with much to do that is not always enough, so it is tried for a minute.
 */
export async function whenUnused(client: Client, statement: string, tries = 12): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    const isInUse = error instanceof DatabaseError && error.code === IN_USE;
    if (!isInUse || tries === 0) throw error;
    await whenUnused(client, statement, tries - 1);
  }
}

/** An autovacuum worker in the database may not be ended by us, so a drop that meets one is tried again, for a minute. */
export async function dropDatabase(name: string, tries = 300): Promise<void> {
  try {
    await onServer((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  } catch (error) {
    if (tries === 0) throw error;
    await sleep(200);
    await dropDatabase(name, tries - 1);
  }
}
