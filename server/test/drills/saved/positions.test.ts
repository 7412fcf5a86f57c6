import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { after, before, test } from 'node:test';
import type { Pool } from 'pg';
import { MAX_PRESETS } from '../../../src/core/accounts/presets/preset-rules.ts';
import { createPool } from '../../../src/storage/db/pool.ts';
import { type TestDatabase, testDatabase } from '../../database/database.ts';
import { auditMembers } from '../../database/schema/member-audit.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';
import { sendAgain } from '../load/send-again.ts';

const ADDS = Number(process.env['POSITION_ADDS'] ?? 3000);
const CONNECTIONS = 64;
/** So few that everybody always wants the same rows. */
const HOT_ACCOUNTS = 4;
const CONTROL_ADDS = 500;
/** Adds a second at which no save reaches its deadline by waiting for the others. */
const FAST_ENOUGH = 100;

let database: TestDatabase;
let service: ServiceProcess;
before(async () => {
  database = await testDatabase();
  await database.pool.query(
    `INSERT INTO partners (id, name, serial_scope) VALUES ('maker', 'A maker', 'maker')`,
  );
  service = await startService(database.url, { MEMBER_KEY: 'k'.repeat(43) });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Does all the work there is, so many at a time. */
async function inParallel<T>(
  work: Iterable<T>,
  most: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const items = work[Symbol.iterator]();
  const one = async (): Promise<void> => {
    for (let next = items.next(); !next.done; next = items.next()) await run(next.value);
  };
  await Promise.all(Array.from({ length: most }, one));
}

interface Add {
  account: number;
  item: number;
}

/** Account by account until each is full, a few of them side by side. */
function* adds(count: number): Generator<Add> {
  const each = HOT_ACCOUNTS * MAX_PRESETS;
  for (let n = 0; n < count; n += 1) {
    const block = Math.floor(n / each);
    yield {
      account: block * HOT_ACCOUNTS + (n % HOT_ACCOUNTS),
      item: Math.floor((n % each) / HOT_ACCOUNTS),
    };
  }
}

const addressOf = ({ account, item }: Add): string => `http://mine.example.net/${account}/${item}`;

/** The HTTP status and the body. */
function save(agent: Agent, add: Add): Promise<string> {
  const url = `${service.origin}/Preset.ashx?c=add&partnerId=maker&serial=hot-${add.account}&url=${addressOf(add)}`;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  get(url, { agent }, (response) => {
    let body = '';
    response.setEncoding('utf8');
    response.on('data', (text: string) => (body += text));
    response.on('end', () => resolve(`${response.statusCode} ${body}`));
  }).on('error', reject);
  return promise;
}

test(`${ADDS} adds over ${CONNECTIONS} connections: none lost, no position twice, no 5xx`, async (t) => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const outcomes = new Map<string, number>();
  let again = 0;
  const started = performance.now();
  await inParallel(adds(ADDS), CONNECTIONS, async (add) => {
    const answer = await sendAgain(
      () => save(agent, add),
      () => (again += 1),
    );
    const outcome = `${answer.slice(0, 3)} ${/<status>(\d+)/.exec(answer)?.[1]}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  });
  agent.destroy();
  const seconds = (performance.now() - started) / 1000;
  t.diagnostic(`${Math.round(ADDS / seconds)} adds a second, ${again} of them sent again`);
  // One stall of the machine reaches every connection once.
  if (ADDS / seconds > FAST_ENOUGH) assert.ok(again <= CONNECTIONS, `${again} were sent again`);
  assert.deepEqual([...outcomes], [['200 200', ADDS]]);
  const { rows } = await database.pool.query<{ address: string; account_id: number; position: number }>(
    'SELECT address, account_id, position FROM presets',
  );
  assert.deepEqual(
    new Set(rows.map(({ address }) => address)),
    new Set([...adds(ADDS)].map((add) => addressOf(add))),
  );
  for (const [accountId, presets] of Map.groupBy(rows, ({ account_id: id }) => id)) {
    const positions = presets.map(({ position }) => position).toSorted((a, b) => a - b);
    assert.deepEqual(
      positions,
      presets.map((_, index) => index + 1),
      `account ${accountId}`,
    );
  }
  const accounts = new Set([...adds(ADDS)].map(({ account }) => account)).size;
  assert.equal(new Set(rows.map(({ account_id: id }) => id)).size, accounts);
  assert.deepEqual(await auditMembers(database.pool), []);
});

test('the same by two statements, max and then insert, gives positions twice', async (t) => {
  await using opened = new AsyncDisposableStack();
  const pool: Pool = createPool({
    databaseUrl: database.url,
    size: 16,
    applicationName: 'test',
    connectTimeoutMs: 60_000,
  });
  opened.defer(() => pool.end());
  await pool.query('CREATE TABLE naive_presets (folder_id bigint, position integer)');
  await inParallel(adds(CONTROL_ADDS), CONNECTIONS, async ({ account }) => {
    const { rows } = await pool.query<{ next: number }>(
      'SELECT coalesce(max(position), 0) + 1 AS next FROM naive_presets WHERE folder_id = $1',
      [account],
    );
    await pool.query('INSERT INTO naive_presets VALUES ($1, $2)', [account, rows[0]?.next]);
  });
  const { rows } = await pool.query<{ twice: number }>(
    'SELECT count(*) - count(DISTINCT (folder_id, position)) AS twice FROM naive_presets',
  );
  t.diagnostic(`${rows[0]?.twice} of ${CONTROL_ADDS} positions were given before`);
  assert.ok((rows[0]?.twice ?? 0) > 0);
});
