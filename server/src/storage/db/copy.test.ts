import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { PoolClient } from 'pg';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { copyRows, type CopyValue } from './copy.ts';

let database: TestDatabase;
let client: PoolClient;
before(async () => {
  database = await testDatabase();
  client = await database.pool.connect();
  await client.query(
    'CREATE TABLE copied (first text, number float8, flag boolean, texts text[], ids int8[])',
  );
});
after(async () => {
  client.release();
  await database[Symbol.asyncDispose]();
});

const COLUMNS = ['first', 'number', 'flag', 'texts', 'ids'];
const AWKWARD = [
  '',
  ' ',
  'a\tb',
  'a\nb',
  'a\r\nb',
  'a\\b',
  '\\',
  '\\\\',
  '\\N',
  '\\.',
  '\\n',
  '"quoted"',
  "it's",
  '{a,b}',
  '{}',
  '}',
  'NULL',
  'null',
  ',',
  '\u0001\u0008\u000B\u001F\u007F',
  '\u2028\u2029\uFEFF',
  'Ünïcödé 日本 🎷',
  '&amp;<x>',
  '$1 %s',
];

async function readBack(): Promise<unknown[][]> {
  const text = `SELECT ${COLUMNS.join(', ')} FROM copied ORDER BY number`;
  const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
  await client.query('TRUNCATE copied');
  return rows;
}

const count = async (): Promise<unknown> => (await client.query('SELECT count(*) FROM copied')).rows[0];

test('every awkward string comes back as it went, alone and inside an array', async () => {
  const rows: CopyValue[][] = AWKWARD.map((text, index) => [
    text,
    index,
    index % 2 === 0,
    [text, 'x', text],
    [],
  ]);
  rows.push(['all', 1000, true, AWKWARD, [1, -2, Number.MAX_SAFE_INTEGER]], [null, 1001, null, null, null]);
  await copyRows(client, 'copied', COLUMNS, rows);
  assert.deepEqual(await readBack(), rows);
});

test('an empty first value keeps its place', async () => {
  await copyRows(client, 'copied', ['first', 'texts'], [['', ['a']]]);
  assert.deepEqual((await client.query('SELECT first, texts FROM copied')).rows, [
    { first: '', texts: ['a'] },
  ]);
  await client.query('TRUNCATE copied');
});

test('no rows are no error', async () => {
  await copyRows(client, 'copied', COLUMNS, []);
  assert.deepEqual(await count(), { count: 0 });
});

function* manyRows(total: number, broken = -1): Generator<CopyValue[]> {
  for (let index = 0; index < total; index += 1) {
    const text = `row ${index} ${'é\t"\\'.repeat(index % 7)}`;
    yield [text, index === broken ? 'no number' : index, false, [text], [index, index + 1]];
  }
}

test('100,000 rows arrive whole, in chunks', async () => {
  await copyRows(client, 'copied', COLUMNS, manyRows(100_000));
  const rows = await readBack();
  assert.equal(rows.length, 100_000);
  const wrong = [...manyRows(100_000)].findIndex((row, index) => String(row) !== String(rows[index]));
  assert.equal(wrong, -1);
});

for (const [where, broken] of [
  ['first', 0],
  ['middle', 10_000],
  ['last', 19_999],
] as const) {
  test(`a row that PostgreSQL refuses (the ${where}) rejects and leaves the connection usable`, async () => {
    await client.query('BEGIN');
    const copied = copyRows(client, 'copied', COLUMNS, manyRows(20_000, broken));
    await assert.rejects(copied, /invalid input syntax for type double precision: "no number"/);
    await client.query('ROLLBACK');
    assert.deepEqual(await count(), { count: 0 });
    await copyRows(client, 'copied', COLUMNS, manyRows(10));
    assert.equal((await readBack()).length, 10);
  });
}

test('a table that is not there rejects and leaves the connection usable', async () => {
  await assert.rejects(copyRows(client, 'nowhere', ['x'], manyRows(20_000)), /"nowhere" does not exist/);
  assert.deepEqual(await count(), { count: 0 });
});

function* endingEarly(at: number): Generator<CopyValue[]> {
  yield* manyRows(at);
  throw new Error('the file ended early');
}

for (const at of [0, 10_000]) {
  test(`a source that throws after ${at} rows rejects with its own error and copies nothing`, async () => {
    await assert.rejects(copyRows(client, 'copied', COLUMNS, endingEarly(at)), /the file ended early/);
    assert.deepEqual(await count(), { count: 0 });
  });
}
