import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client, type FieldDef } from 'pg';
import type { Columns } from '../../../src/storage/db/statement.ts';
import { type TestDatabase, testDatabase } from '../database.ts';
import { describeStatement } from './describe-statement.ts';
import { loadStatements } from './load-statements.ts';

let database: TestDatabase;
let client: Client;
let types: Map<number, string>;
let notNull: Set<string>;

before(async () => {
  database = await testDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ oid: number; name: string }>(
    "SELECT oid, CASE typcategory WHEN 'A' THEN substr(typname, 2) || '[]' ELSE typname END AS name FROM pg_type",
  );
  types = new Map(rows.map(({ oid, name }) => [oid, name]));
  const columns = await client.query<{ key: string }>(
    "SELECT attrelid || '.' || attnum AS key FROM pg_attribute WHERE attnotnull",
  );
  notNull = new Set(columns.rows.map(({ key }) => key));
});
after(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
});

interface Declared {
  name: string;
  text: string;
  columns: Columns;
}

/** What a declaration says otherwise than PostgreSQL; nothing when it is true. */
async function compare({ name, text, columns }: Declared): Promise<string[]> {
  const { fields } = await describeStatement(client, { name, text });
  const problems = fields.flatMap((field) => compareField(field, columns[field.name], text));
  const given = new Set(fields.map((field) => field.name));
  for (const column of Object.keys(columns)) if (!given.has(column)) problems.push(`${column} is not given`);
  if (given.size < fields.length) problems.push('two columns have one name');
  return problems.map((problem) => `${name}: ${problem}`);
}

function compareField({ name, dataTypeID, tableID, columnID }: FieldDef, declared = '', text = ''): string[] {
  if (declared === '') return [`${name} is given but not declared`];
  const type = types.get(dataTypeID) ?? `type ${dataTypeID}`;
  const nullable = declared.endsWith('?');
  const problems = declared.replace('?', '') === type ? [] : [`${name} is ${type}, declared ${declared}`];
  // PostgreSQL tells where a column is stored, and of an expression nothing.
  if (tableID === 0) return problems;
  const mayBeNull = !notNull.has(`${tableID}.${columnID}`);
  const outer = /\b(left|right|full)\b/i.test(text);
  if (mayBeNull && !nullable) problems.push(`${name} may be null, declared ${declared}`);
  if (!mayBeNull && nullable && !outer) problems.push(`${name} is never null, declared ${declared}`);
  return problems;
}

test('every statement gives the row it declares', async () => {
  const statements = await loadStatements();
  assert.ok(statements.length > 20, 'the modules that define statements were found');
  const problems: string[] = [];
  for (const statement of statements) problems.push(...(await compare(statement)));
  assert.deepEqual(problems, []);
});

const WRONG: [problem: RegExp, columns: Columns, text: string][] = [
  [/id is int8, declared int4/, { id: 'int4' }, 'SELECT id FROM stations'],
  [/pinned is text\[\], declared text/, { pinned: 'text' }, 'SELECT pinned FROM stations'],
  [/slogan may be null, declared text/, { slogan: 'text' }, 'SELECT slogan FROM stations'],
  [/name is never null, declared text\?/, { name: 'text?' }, 'SELECT name FROM stations'],
  [/name is given but not declared/, { id: 'int8' }, 'SELECT id, name FROM stations'],
  [/slogan is not given/, { id: 'int8', slogan: 'text?' }, 'SELECT id FROM stations'],
  [/total is numeric, declared int8/, { total: 'int8' }, 'SELECT sum(id) AS total FROM stations'],
  [/two columns have one name/, { id: 'int8' }, 'SELECT a.id, b.id FROM stations a, stations b'],
  [/id is given but not declared/, {}, 'DELETE FROM stations WHERE id = $1 RETURNING id'],
];
for (const [index, [problem, columns, text]] of WRONG.entries()) {
  test(`a wrong declaration is found: ${problem.source}`, async () => {
    const problems = await compare({ name: `wrong-${index}`, text, columns });
    assert.equal(problems.length, 1);
    assert.match(problems.join(), problem);
  });
}

test('a statement that is no SQL, or names what is not there, fails', async () => {
  await assert.rejects(compare({ name: 'wrong-a', columns: {}, text: 'SELEKT' }), /syntax error/);
  await assert.rejects(
    compare({ name: 'wrong-b', columns: {}, text: 'SELECT no FROM shows' }),
    /does not exist/,
  );
});

test('describing a statement does not run it', async () => {
  const { parameterTypes, fields } = await describeStatement(client, {
    name: 'delete-all',
    text: 'DELETE FROM catalogue WHERE version > $1',
  });
  assert.deepEqual([parameterTypes, fields], [[20], []]);
  assert.equal((await client.query('SELECT FROM catalogue')).rowCount, 1);
});
