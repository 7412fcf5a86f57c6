import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { MEMBER_TABLES } from '../../src/storage/db/member-tables.ts';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { describeStatement } from '../database/statements/describe-statement.ts';
import { SAMPLES } from '../database/statements/explain-samples.ts';
import { loadStatements } from '../database/statements/load-statements.ts';
import { countTouched, partitionMembers } from './partitioned-members.ts';

// What holds here holds on any engine that spreads tables by a key: the members' tables are hash partitions of PostgreSQL itself.

let database: TestDatabase;
let client: Client;
before(async () => {
  database = await testDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await partitionMembers(client);
});
after(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
});

/** Statements that ask every server on purpose, each with the reason. */
const ASKS_ALL: Readonly<Record<string, string>> = {
  'app-password-remove': 'an owner ends an app; found by the account, its key is a secret that is not kept',
  'app-passwords-batch': 'an operator replaces MEMBER_KEY',
  'app-passwords-count': 'an owner adds an app',
  'app-passwords-of-account': 'an owner looks at the apps',
  'app-passwords-remove': 'once for an account that was closed',
  'app-secrets-of-account': 'an app that names its account signs in, and is remembered for half a minute',
  'device-diary-write': 'many accounts at once, every five seconds',
  'device-owners': 'many devices at once, every five seconds',
  'devices-under-old-key': 'many devices at once, while MEMBER_KEY is replaced',
  'forget-account-devices': 'a sweeper, once a day',
  'forget-claims': 'a sweeper, once a day',
  'forget-closed': 'a sweeper, once a day',
  'forget-folders': 'a sweeper, once a day',
  'forget-left': 'a sweeper, once a day',
  'forget-networks': 'a sweeper, once a day',
  'forget-sessions': 'a sweeper, once a day',
  'list-tokens-count': 'an owner makes an address for a list',
  'list-tokens-remove': 'an owner ends the addresses of the lists',
  'merge-presets': 'an operator merges two stations',
  'operator-any': 'the first run, and a page of the operator',
  'sessions-end': 'an owner signs out everywhere',
  'sessions-of-account': 'an owner looks at the sessions',
  'sessions-over': 'an owner signs in at the site',
  'unmerge-presets': 'an operator takes a merge back',
};

interface Sampled {
  name: string;
  text: string;
}

const isOfMembers = ({ text }: Sampled): boolean =>
  text.match(/\w+/g)?.some((word) => Object.hasOwn(MEMBER_TABLES, word)) === true;

/** What in a statement would not run on one server of each table. */
async function inspect(statement: Sampled, samples = SAMPLES): Promise<string[]> {
  const { parameterTypes } = await describeStatement(client, statement);
  const params = samples[statement.name] ?? (parameterTypes.length === 0 ? '' : undefined);
  if (params === undefined) return [`${statement.name} has no line in explain-samples.ts; add one`];
  try {
    const touched = await countTouched(client, statement.name, params);
    return [...touched]
      .filter(([, parts]) => parts > 1)
      .map(([table, parts]) => `${statement.name} touches ${parts} partitions of ${table}`);
  } catch (error) {
    return [`${statement.name}: ${String(error)}`];
  }
}

test('every statement of the members names the distribution key of each table, and touches one partition', async () => {
  const statements = (await loadStatements()).filter(isOfMembers);
  assert.ok(statements.length > 100, 'the statements were found');
  const problems: string[] = [];
  for (const statement of statements)
    if (!Object.hasOwn(ASKS_ALL, statement.name)) problems.push(...(await inspect(statement)));
  assert.deepEqual(problems, []);
});

test('every exception is one', async () => {
  const statements = await loadStatements();
  for (const name of Object.keys(ASKS_ALL)) {
    const statement = statements.find((each) => each.name === name);
    assert.ok(statement, `there is no statement ${name}`);
    // Operators' statements have no sample: they are not looked at elsewhere either.
    if (name in SAMPLES || !statement.text.includes('$1'))
      assert.notDeepEqual(await inspect(statement), [], `${name} touches one partition; take it out`);
  }
});

test('every table with an account in it is one of those that are spread', async () => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name IN ('account_id', 'earlier_account_id')`,
  );
  const tables = new Set(rows.map(({ name }) => name.replace(/^whole_|_\d+$/g, '')));
  const forgotten = [...tables].filter((table) => !Object.hasOwn(MEMBER_TABLES, table));
  assert.deepEqual(forgotten, [], 'add it to storage/db/member-tables.ts');
});

const CAUGHT: [problem: RegExp, text: string, params: string][] = [
  [/touches 4 partitions of presets/, 'SELECT position FROM presets WHERE folder_id = $1', '5125000'],
  [/touches 4 partitions of devices/, 'UPDATE devices SET changed_at = now() WHERE account_id = $1', '5000'],
  [
    /touches 4 partitions of accounts/,
    'SELECT username FROM devices JOIN accounts ON accounts.id = account_id WHERE serial_hash = $1',
    String.raw`'\x00'`,
  ],
  [
    /touches [2-4] partitions of folders/,
    "INSERT INTO folders (account_id, id, name, position) SELECT id, 1 << 40 | id, 'x', 9 FROM accounts WHERE id > $1",
    '5000',
  ],
  [
    /usernames is updated in username_key/,
    'UPDATE usernames SET username_key = $2 WHERE username_key = $1',
    "'user5000', 'other'",
  ],
];
for (const [index, [problem, text, params]] of CAUGHT.entries()) {
  test(`the guard finds a statement that would need several servers: ${text}`, async () => {
    const name = `bad-${index}`;
    assert.match((await inspect({ name, text }, { [name]: params })).join('\n'), problem);
  });
}
