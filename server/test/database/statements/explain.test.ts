import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import type { Statement } from '../../../src/storage/db/statement.ts';
import { filledDatabase } from '../made-databases.ts';
import { describeStatement } from './describe-statement.ts';
import { explain, findProblems, partitionsOf, type PlanNode, PLANNERS, walkPlan } from './explain-plan.ts';
import { READS_WHOLE, SAMPLES } from './explain-samples.ts';
import { loadStatements } from './load-statements.ts';

/** Tables that grow with the world and how many rows they have here at least. */
const BIG: Readonly<Record<string, number>> = {
  absent_records: 100_000,
  account_devices: 100_000,
  accounts: 100_000,
  aliases: 100_000,
  broadcasts: 100_000,
  cities: 100_000,
  device_claims: 100_000,
  counted_reports: 100_000,
  devices: 100_000,
  emails: 100_000,
  feed_hubs: 100_000,
  feeds: 100_000,
  folders: 100_000,
  image_checks: 100_000,
  images: 100_000,
  known_networks: 100_000,
  app_devices: 100_000,
  app_passwords: 100_000,
  episode_actions: 100_000,
  feed_subscriptions: 100_000,
  list_tokens: 100_000,
  newest_topics: 100_000,
  picture_sizes: 200_000,
  pictures: 100_000,
  postal_codes: 100_000,
  presets: 300_000,
  regions: 100_000,
  reports: 100_000,
  schedule_rules: 100_000,
  schedules: 100_000,
  search_documents: 200_000,
  search_words: 100_000,
  shows: 100_000,
  site_sessions: 100_000,
  station_affiliates: 100_000,
  station_changes: 100_000,
  station_genres: 200_000,
  station_keys: 100_000,
  station_languages: 100_000,
  station_records: 100_000,
  station_shows: 100_000,
  station_songs: 100_000,
  stations: 100_000,
  stream_checks: 150_000,
  streams: 150_000,
  takedown_entries: 100_000,
  topics: 200_000,
  usernames: 100_000,
};
const bigTables = new Set(Object.keys(BIG));

let client: Client;
let statements: Statement[];
before(async () => {
  const rows = readFileSync(join(import.meta.dirname, 'explain-rows.sql'), 'utf8');
  client = new Client({ connectionString: await filledDatabase('explain', rows) });
  await client.connect();
  statements = await loadStatements();
});
after(() => client.end());

type Sampled = Pick<Statement, 'name' | 'text'>;

/** Looks at a statement as PostgreSQL would run it, once for these parameters and once for any. */
async function inspect(statement: Sampled, samples = SAMPLES): Promise<string[]> {
  const { parameterTypes } = await describeStatement(client, statement);
  const params = samples[statement.name] ?? (parameterTypes.length === 0 ? '' : undefined);
  if (params === undefined) return [`${statement.name} has no line in explain-samples.ts; add one`];
  const problems: string[] = [];
  for (const planner of PLANNERS) {
    const plan = await explain(client, statement.name, params, planner);
    for (const problem of findProblems(plan, bigTables))
      problems.push(`${statement.name} (${planner}) ${problem}`);
  }
  await client.query(`DEALLOCATE ${client.escapeIdentifier(statement.name)}`);
  return problems;
}

test('every big table is big here, and every partition has its share', async () => {
  for (const [table, least] of Object.entries(BIG)) {
    const { rows } = await client.query<{ count: number }>(`SELECT count(*) FROM ${table}`);
    assert.ok((rows[0]?.count ?? 0) >= least, `${table} has ${rows[0]?.count} rows`);
  }
  const { rows } = await client.query(
    'SELECT tableoid FROM topics GROUP BY tableoid HAVING count(*) > 10000',
  );
  assert.equal(rows.length, 16);
});

test('no statement reads a big table whole or sorts a long list', async () => {
  const problems: string[] = [];
  for (const statement of statements)
    if (!(statement.name in READS_WHOLE)) problems.push(...(await inspect(statement)));
  assert.deepEqual(problems, []);
});

test('every sample and every exception belongs to a statement', () => {
  const names = new Set(statements.map(({ name }) => name));
  const stale = Object.keys({ ...SAMPLES, ...READS_WHOLE }).filter((name) => !names.has(name));
  assert.deepEqual(stale, []);
});

async function plansOf(name: string): Promise<PlanNode[]> {
  const statement = statements.find((candidate) => candidate.name === name);
  const params = SAMPLES[name];
  assert.ok(statement && params, `there is no statement ${name}, or no sample`);
  await describeStatement(client, statement);
  const plans: PlanNode[] = [];
  for (const planner of PLANNERS) plans.push(await explain(client, name, params, planner));
  await client.query(`DEALLOCATE ${client.escapeIdentifier(name)}`);
  return plans;
}

for (const name of ['topic-by-id', 'topics-of-show']) {
  test(`${name} reads one partition`, async () => {
    for (const plan of await plansOf(name)) assert.deepEqual(partitionsOf(plan), ['topics_07']);
  });
}

test('presets-of-folders reads the index alone', async () => {
  for (const plan of await plansOf('presets-of-folders')) {
    const types = [...walkPlan(plan)].map(({ node }) => node['Node Type']);
    assert.deepEqual(
      types.filter((type) => type !== 'Sort'),
      ['Limit', 'Index Only Scan'],
    );
  }
});

const CAUGHT: [problem: RegExp, text: string, params: string][] = [
  [/reads all of stations/, 'SELECT id FROM stations WHERE slogan = $1', "'x'"],
  [/reads all of devices/, 'UPDATE devices SET changed_at = now() WHERE account_id = $1', '5'],
  [/reads all of accounts/, 'SELECT count(*) FROM accounts', ''],
  [/sorts \d{5,6} rows/, 'SELECT id FROM shows ORDER BY title LIMIT $1', '10'],
  [/reads 16 partitions/, 'SELECT title FROM topics WHERE id = $1', '5000'],
  [/reads 16 partitions/, 'SELECT title FROM topics WHERE show_id = $1', '500'],
  [
    /reads all of folders/,
    'SELECT f.name FROM presets p JOIN folders f ON f.id = p.folder_id WHERE p.account_id = $1',
    '5',
  ],
];
for (const [index, [problem, text, params]] of CAUGHT.entries()) {
  test(`the guard finds a bad plan: ${text}`, async () => {
    const name = `bad-${index}`;
    const problems = await inspect({ name, text }, { [name]: params });
    for (const planner of PLANNERS) {
      const found = problems.filter((line) => line.includes(planner));
      assert.match(found.join('\n'), problem, `with ${planner}`);
    }
  });
}

test('the guard finds a statement without sample parameters', async () => {
  const problems = await inspect({ name: 'forgotten', text: 'SELECT id FROM stations WHERE id = $1' });
  assert.match(problems.join(), /forgotten has no line in explain-samples\.ts/);
});
