import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { GrowingTables } from './import-stations.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());

/** How many rows PostgreSQL plans for. */
async function rowsPlannedFor(): Promise<number | undefined> {
  const { rows } = await database.pool.query<{ reltuples: number }>(
    "SELECT reltuples FROM pg_class WHERE oid = 'aliases'::regclass",
  );
  return rows[0]?.reltuples;
}

test('the tables are looked at after the first batch and the fourth, not after each', async () => {
  const tables = new GrowingTables(database.pool);
  const seen: (number | undefined)[] = [];
  for (let batch = 1; batch <= 5; batch += 1) {
    await database.pool.query("INSERT INTO aliases VALUES ('grown', $1, 's', 1)", [String(batch)]);
    await tables.grow();
    seen.push(await rowsPlannedFor());
  }
  assert.deepEqual(seen, [1, 1, 1, 4, 4]);
});
