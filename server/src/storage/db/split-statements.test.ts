import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { testDatabase } from '../../../test/database/database.ts';
import { describeStatement } from '../../../test/database/statements/describe-statement.ts';
import { listMigrations } from './migrate.ts';
import { splitStatements } from './split-statements.ts';

const CASES: [text: string, statements: string[]][] = [
  ['SELECT 1; SELECT 2;', ['SELECT 1;', ' SELECT 2;']],
  ['SELECT 1', ['SELECT 1']],
  ["SELECT 'a;b', 'it''s;';SELECT 2", ["SELECT 'a;b', 'it''s;';", 'SELECT 2']],
  ['SELECT 1 AS "a;b"; -- the end; really\n', ['SELECT 1 AS "a;b";']],
  ['-- first; not yet\nSELECT 1;/* a; b */', ['-- first; not yet\nSELECT 1;']],
  ['DO $$BEGIN; END$$; DO $x$ $$;$$ $x$;', ['DO $$BEGIN; END$$;', ' DO $x$ $$;$$ $x$;']],
  ['', []],
];
for (const [text, statements] of CASES)
  test(`split: ${JSON.stringify(text)}`, () => assert.deepEqual(splitStatements(text), statements));

test('every migration can be sent statement by statement, of which none is two', async () => {
  await using database = await testDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    for (const { name, text } of listMigrations()) {
      const statements = splitStatements(text);
      assert.ok(text.startsWith(statements.join('').slice(0, 1000)), name);
      for (const statement of statements) await parse(client, statement, name);
    }
  } finally {
    await client.end();
  }
});

/** What is no more is missed as it is described; two statements and halves of one are errors of syntax. */
async function parse(client: Client, text: string, where: string): Promise<void> {
  const failure: unknown = await describeStatement(client, { name: '', text }).catch(
    (error: unknown) => error,
  );
  const code = failure instanceof Error && 'code' in failure ? failure.code : undefined;
  assert.notEqual(code, '42601', `${where}: ${String(failure)}\n${text}`);
}
