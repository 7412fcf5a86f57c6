import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { listMigrations, migrate } from '../../../src/storage/db/migrate.ts';
import { dropDatabase, onServer, urlOf } from '../database-server.ts';
import { runLongwave } from '../../processes/run-longwave.ts';
import { startService } from '../../processes/service-process.ts';

const ROWS = `
  INSERT INTO stations (id, name, name_key) VALUES (1, 'Harbour Folk', 'harbour folk');
  INSERT INTO streams (station_id, address, address_key, format)
    VALUES (1, 'http://stream.radio-haven.net/folk', gen_random_uuid(), 'mp3');
  INSERT INTO shows (id, title) VALUES (1, 'Harbour Tales')`;

/** A database of the schema before there was a search, with a station and a show. */
async function oldDatabase(): Promise<{ url: string } & AsyncDisposable> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer((client) => client.query(`CREATE DATABASE ${name}`));
  const url = urlOf(name);
  const old = listMigrations().filter((migration) => migration.name < '0007');
  await migrate(url, old);
  await onServer((client) => client.query(ROWS), url);
  return { url, [Symbol.asyncDispose]: () => dropDatabase(name) };
}

const found = async (origin: string): Promise<string[]> => {
  const answer = await fetch(`${origin}/Search.ashx?query=harbour`);
  return [...(await answer.text()).matchAll(/guide_id="(\w+)"/g)].map(([, id = '']) => id).toSorted();
};

test('an upgrade leaves all that was there findable', async () => {
  await using database = await oldDatabase();
  const { status, stdout, stderr } = runLongwave(['migrate'], { DATABASE_URL: database.url });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^applied 0007_search\.sql\n/);
  await onServer(async (client) => {
    const { rows } = await client.query('SELECT kind, item_id FROM search_documents ORDER BY 1');
    assert.deepEqual(rows, [
      { kind: 'p', item_id: 20_480_001 },
      { kind: 's', item_id: 20_480_001 },
    ]);
  }, database.url);
});

test('an upgrade that was cut off after the schema is made good when a server starts', async () => {
  await using database = await oldDatabase();
  await migrate(database.url);
  await using service = await startService(database.url);
  const deadline = performance.now() + 20_000;
  let ids = await found(service.origin);
  while (ids.length < 2 && performance.now() < deadline) {
    await sleep(100);
    ids = await found(service.origin);
  }
  assert.deepEqual(ids, ['p20480001', 's20480001']);
});
