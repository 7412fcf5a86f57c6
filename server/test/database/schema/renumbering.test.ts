import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { listMigrations } from '../../../src/storage/db/migrate.ts';
import { type TestDatabase, seededDatabase } from '../database.ts';
import { onServer } from '../database-server.ts';

const ABOVE = 20_480_000;
const BESIDE = readFileSync(join(import.meta.dirname, '../../seed/beside-stations.sql'), 'utf8');
const { text: sql } =
  listMigrations().find(({ name }) => name.startsWith('0031')) ?? assert.fail('no migration');

let database: TestDatabase;
before(async () => {
  database = await seededDatabase();
  await database.pool.query(BESIDE);
});
after(() => database[Symbol.asyncDispose]());

const rows = async <Row>(text: string): Promise<Row[]> =>
  onServer(async (client) => (await client.query(text)).rows, database.url);

/** Every column that names a station or a show, also of tables that are added later. */
async function idsBelow(): Promise<string[]> {
  const columns = await rows<{ table: string; column: string; kind: string | null }>(
    `SELECT c.relname AS table, a.attname AS column,
       (SELECT k.attname FROM pg_attribute AS k WHERE k.attrelid = c.oid AND k.attname IN ('kind', 'item_kind')
        ORDER BY k.attname LIMIT 1) AS kind
     FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND NOT a.attisdropped AND
       (a.attname IN ('station_id', 'show_id', 'item_id') OR (c.relname IN ('stations', 'shows') AND a.attname = 'id'))`,
  );
  assert.ok(columns.length >= 28, `${columns.length} columns`);
  const found: string[] = [];
  for (const { table, column, kind } of columns) {
    const only = column === 'item_id' && kind ? `AND ${kind} IN ('s', 'p')` : '';
    const below = await rows(`SELECT FROM ${table} WHERE ${column} <= ${ABOVE} ${only}`);
    if (below.length > 0) found.push(`${table}.${column}`);
  }
  return found.toSorted();
}

const FACTS = `SELECT (SELECT count(*) FROM pg_constraint WHERE contype = 'f')::int AS references,
  (SELECT count(*) FROM pg_trigger WHERE tgenabled <> 'O')::int AS disabled,
  (SELECT count(*) FROM streams JOIN stations ON stations.id = station_id)::int AS streams,
  (SELECT count(*) FROM topics JOIN shows ON shows.id = show_id)::int AS topics,
  (SELECT count(*) FROM presets JOIN stations ON kind = 's' AND stations.id = item_id)::int AS presets,
  (SELECT count(*) FROM aliases JOIN stations ON kind = 's' AND stations.id = item_id)::int AS aliases,
  (SELECT count(*) FROM search_documents JOIN stations ON kind = 's' AND stations.id = item_id)::int AS documents`;

test('stations and shows are renumbered above every foreign number, with all that names them', async () => {
  const known = await idsBelow();
  for (const column of ['stations.id', 'shows.id', 'topics.show_id', 'presets.item_id', 'aliases.item_id'])
    assert.ok(known.includes(column), `${column} is among ${known.join(', ')}`);
  const [facts] = await rows<Record<string, number>>(FACTS);
  for (const [what, count] of Object.entries(facts ?? {}))
    assert.ok(count > 0 || what === 'disabled', `${what}: ${count}`);

  await onServer((client) => client.query(`BEGIN; ${sql}; COMMIT`), database.url);
  assert.deepEqual(await idsBelow(), []);
  assert.deepEqual(await rows(FACTS), [facts]);
  const [first] = await rows<{ id: string }>("SELECT id FROM stations WHERE name = 'Harbour Folk'");
  assert.equal(Number(first?.id), ABOVE + 1);
});

test('what is added later comes after them, and a second run changes nothing', async () => {
  const added = "INSERT INTO stations (name, name_key) VALUES ('New', 'new') RETURNING id";
  const highest = Number((await rows<{ id: string }>('SELECT max(id) AS id FROM stations'))[0]?.id);
  assert.equal(Number((await rows<{ id: string }>(added))[0]?.id), highest + 1);
  const ids = 'SELECT id FROM stations ORDER BY id';
  const once = await rows(ids);
  await onServer((client) => client.query(`BEGIN; ${sql}; COMMIT`), database.url);
  assert.deepEqual(await rows(ids), once);
});
