import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { PoolClient } from 'pg';
import { seededDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { replaceText, UPDATE_RECORDS } from './write-batch.ts';

let database: TestDatabase;
let client: PoolClient;
before(async () => {
  database = await seededDatabase();
  client = await database.pool.connect();
});
after(async () => {
  client.release();
  await database[Symbol.asyncDispose]();
});

/** As an import's connection plans it: for any parameters, without knowing how many there are. */
async function planOf(text: string, types: string, values: string): Promise<string> {
  await client.query('DEALLOCATE ALL');
  await client.query({ text: `PREPARE written (${types}) AS ${text}` });
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE written (${values})`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

test('what a batch replaces is looked up, and never compared with the whole batch for each row', async () => {
  for (const noun of ['genre', 'language'] as const) {
    const plan = await planOf(replaceText(noun), 'bigint[], jsonb', `'{1}', '[]'`);
    assert.match(plan, /Filter: \(NOT \(hashed SubPlan \d+\)\)/, plan);
    assert.doesNotMatch(plan, /Anti Join/, plan);
  }
});

test('records that have changed are found by their key, each once', async () => {
  const plan = await planOf(UPDATE_RECORDS, 'text, jsonb', `'radio-browser', '[]'`);
  assert.doesNotMatch(plan, /= ANY/, plan);
  assert.match(plan, /Hash Cond|Index Cond: .*record = u\.record/, plan);
});
