import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../test/database/database.ts';
import { statement } from './statement.ts';
import { transaction } from './transaction.ts';

const everyType = statement(
  'test-every-type',
  {
    int2: 'int2',
    int4: 'int4',
    int8: 'int8',
    float8: 'float8',
    bool: 'bool',
    text: 'text',
    uuid: 'uuid',
    bytea: 'bytea',
    jsonb: 'jsonb',
    date: 'date',
    timestamptz: 'timestamptz',
    ids: 'int8[]',
    no_ids: 'int8[]',
    texts: 'text[]',
    nothing: 'int8[]?',
  },
  `SELECT 1::int2, 2::int4, 9007199254740991::int8, 0.5::float8, true AS bool, 'a'::text,
     '01234567-89ab-cdef-0123-456789abcdef'::uuid, '\\x00ff'::bytea, '{"a": [1]}'::jsonb, '2026-02-28'::date,
     '2026-02-28 12:00:00.000001+00'::timestamptz, '{1,-2,9007199254740991}'::int8[] AS ids, '{}'::int8[] AS no_ids,
     ARRAY['a,b', '"', ''] AS texts, NULL::int8[] AS nothing`,
);

test('each column type arrives as the value its declaration promises', async () => {
  await using database = await testDatabase();
  const [row] = await everyType.run(database.pool, []);
  assert.ok(row);
  const { timestamptz, ...rest } = row;
  assert.equal(timestamptz.toString(), '2026-02-28T12:00:00.000001Z', 'microseconds are kept');
  assert.deepEqual(rest, {
    int2: 1,
    int4: 2,
    int8: Number.MAX_SAFE_INTEGER,
    float8: 0.5,
    bool: true,
    text: 'a',
    uuid: '01234567-89ab-cdef-0123-456789abcdef',
    bytea: Buffer.from([0, 255]),
    jsonb: { a: [1] },
    date: '2026-02-28',
    ids: [1, -2, Number.MAX_SAFE_INTEGER],
    no_ids: [],
    texts: ['a,b', '"', ''],
    nothing: null,
  });
});

test('a name is given once', () => {
  assert.throws(() => statement('test-every-type', {}, 'SELECT'), /two statements are named test-every-type/);
});

test('a statement is prepared once a connection and runs in a transaction as in the pool', async () => {
  await using database = await testDatabase();
  const prepared = await transaction(database.pool, async (client) => {
    await everyType.run(client, []);
    await everyType.run(client, []);
    const { rows } = await client.query<{ name: string }>('SELECT name FROM pg_prepared_statements');
    return rows;
  });
  assert.deepEqual(prepared, [{ name: 'test-every-type' }]);
});

const upTo = statement(
  'test-numbers-up-to',
  { number: 'int4' },
  'SELECT generate_series(1, $1::integer) AS number',
);
const params = ({ largest }: { largest: number }) => [largest];

test('a statement as a function takes its arguments by name and resolves to what was asked for', async () => {
  await using database = await testDatabase();
  const [two, none] = [{ largest: 2 }, { largest: 0 }];
  assert.deepEqual(await upTo.all(params)(database.pool, two), [{ number: 1 }, { number: 2 }]);
  assert.deepEqual(await upTo.first(params)(database.pool, two), { number: 1 });
  assert.equal(await upTo.first(params)(database.pool, none), undefined);
  assert.deepEqual(await upTo.values(params)(database.pool, two), [1, 2]);
  assert.equal(await upTo.value(params)(database.pool, two), 1);
  assert.equal(await upTo.value(params)(database.pool, none), undefined);
  assert.deepEqual(await upTo.one(params)(database.pool, two), { number: 1 });
  assert.equal(await upTo.oneValue(params)(database.pool, two), 1);
  await assert.rejects(upTo.one(params)(database.pool, none), /test-numbers-up-to gave no row/);
  assert.equal(await upTo.exists(params)(database.pool, two), true);
  assert.equal(await upTo.exists(params)(database.pool, none), false);
  assert.equal(await upTo.command(params)(database.pool, two), undefined);
});
