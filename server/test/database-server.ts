import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Pool } from 'pg';
import { createPool } from '../src/db/pool.ts';

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

export const poolOf = (databaseUrl: string, size: number): Pool =>
  createPool({ databaseUrl, size, applicationName: 'test', statementTimeoutMs: 120_000 });

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
