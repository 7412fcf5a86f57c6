import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { randomNumbers } from '../../../../test/content/random-catalogue.ts';
import { type Verdict, VERDICTS } from '../../../lib/failure-code.ts';
import { claimStream, claimStreams, type DueStream, scheduleStreams } from './due-streams.ts';
import { type DayHealth, HEALTH_DAYS, healthDay, healthOf, WEIGHTS } from './reliability.ts';
import { finishStreams, listFindings, type StreamCheck, type StreamFinding } from './stream-checks.ts';
import { countReport } from './stream-reports.ts';

const STREAM_IDS = Array.from({ length: 300 }, (_, index) => index + 1);
const ROUNDS = 25;

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  const { pool } = database;
  await pool.query("INSERT INTO stations (id, name, name_key) VALUES (1, 'Town FM', 'town fm')");
  await pool.query(
    `INSERT INTO streams (id, station_id, address, address_key)
     SELECT n, 1, 'http://a.example.net/' || n, lpad(n::text, 32, '0')::uuid FROM unnest($1::bigint[]) n`,
    [STREAM_IDS],
  );
  await scheduleStreams(pool);
});
after(() => database[Symbol.asyncDispose]());

const date = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const BY_LETTER = new Map<string, DayHealth>([
  ['h', 'heard'],
  ['m', 'mixed'],
  ['s', 'silent'],
]);
/** Thirty days that end like this, and of the days before nothing is known. */
const endingIn = (letters: string): DayHealth[] =>
  Array.from(letters.padStart(HEALTH_DAYS, '-'), (letter) => BY_LETTER.get(letter) ?? 'unknown');

test('two bits a day are thirty days, the oldest first', () => {
  const today = date('2026-03-01');
  assert.deepEqual(healthOf(0n, today, today), endingIn(''));
  assert.deepEqual(healthOf(0b01_11_00_10n, today, today), endingIn('hm-s'));
  const full = (1n << 60n) - 1n;
  assert.deepEqual(healthOf(full, today, today), endingIn('m'.repeat(30)));
  assert.deepEqual(healthOf(1n << 58n, today, today), endingIn(`h${'-'.repeat(29)}`), 'more than 53 bits');
});

test('days go by whether there are checks or not, over the end of a month too', () => {
  const day = date('2026-02-27');
  assert.deepEqual(healthOf(0b01_10n, day, date('2026-03-01')), endingIn('hs--'));
  assert.deepEqual(healthOf(0b01_10n, day, day.add({ days: 29 })), endingIn(`s${'-'.repeat(29)}`));
  assert.deepEqual(healthOf(0b01_10n, day, day.add({ days: 30 })), endingIn(''));
  assert.deepEqual(healthOf(0b01_10n, day, day.add({ years: 40 })), endingIn(''));
});

test('days that are not yet are not told', () => {
  const day = date('2026-02-27');
  assert.deepEqual(healthOf(0b01_10n, day, day.subtract({ days: 1 })), endingIn('h'));
  assert.deepEqual(healthOf(0b01_10n, day, day.subtract({ days: 2 })), endingIn(''));
  assert.deepEqual(healthOf(0b01_10n, day, day.subtract({ years: 40 })), endingIn(''));
});

test('a day is that of UTC', () => {
  assert.equal(healthDay(Temporal.Instant.from('2026-02-27T23:59:59.9Z')).toString(), '2026-02-27');
  assert.equal(healthDay(Temporal.Instant.from('2026-02-28T01:30:00+02:00')).toString(), '2026-02-27');
});

/** Everything that was found of a stream, with how many days ago: what two bits a day are measured by. */
type Story = { daysAgo: number; verdict: Verdict }[];

const SILENT = new Set<Verdict>(['dead', 'tls', 'codec', 'hls']);

const healthOfStory = (story: Story): DayHealth[] =>
  Array.from({ length: HEALTH_DAYS }, (_, index) => {
    const found = story.filter(({ daysAgo }) => daysAgo === HEALTH_DAYS - 1 - index);
    const isHeard = found.some(({ verdict }) => verdict === 'plays');
    const isSilent = found.some(({ verdict }) => SILENT.has(verdict));
    return isHeard ? (isSilent ? 'mixed' : 'heard') : isSilent ? 'silent' : 'unknown';
  });

test('what the database keeps of hundreds of random months is what happened in them', async () => {
  const random = randomNumbers(20_260_301);
  const stories = new Map<number, Story>(STREAM_IDS.map((id) => [id, []]));
  const seen = new Set<DayHealth>();
  for (let round = 0; round < ROUNDS; round += 1) {
    await letDaysPass(stories, random);
    const checks = (await claimAll()).map((due) => checkOf(due, aVerdict(random)));
    assert.equal(checks.length, STREAM_IDS.length);
    await finishStreams(database.pool, checks);
    for (const { due, verdict } of checks) stories.get(due.stream_id)?.push({ daysAgo: 0, verdict });
    const findings = await listFindings(database.pool, STREAM_IDS, Temporal.Now.instant());
    for (const [id, story] of stories) {
      const expected = healthOfStory(story);
      assert.deepEqual(findings.get(id)?.health, expected, `stream ${id}, round ${round}`);
      for (const day of expected) seen.add(day);
    }
  }
  assert.equal(seen.size, 4);
});

/** Half of them play, and the others are of every kind. */
const aVerdict = (random: () => number): Verdict =>
  random() < 0.5 ? 'plays' : (VERDICTS[Math.floor(random() * VERDICTS.length)] ?? 'dead');

/** Mostly none or one, at times weeks; less than none where a clock was set back. */
const PASSING = [0, 0, 0, 1, 1, 1, 1, 2, 7, 13, 28, 29, 30, 31, 32, 33, 65, 4000, -1, -3, -29, -40];

/** The day that was written down moves, and not the clock. */
async function letDaysPass(stories: Map<number, Story>, random: () => number): Promise<void> {
  const passed = [...stories].map(([id, story]) => {
    const days = PASSING[Math.floor(random() * PASSING.length)] ?? 0;
    const moved = story.map(({ daysAgo, verdict }) => ({ daysAgo: daysAgo + days, verdict }));
    stories.set(
      id,
      moved.filter(({ daysAgo }) => daysAgo >= 0 && daysAgo < HEALTH_DAYS),
    );
    return { id, days };
  });
  await database.pool.query(
    `UPDATE stream_checks c SET health_day = CASE WHEN c.health_day IS NOT NULL
         THEN (now() AT TIME ZONE 'UTC')::date - u.days END, next_due_at = now(), claimed_at = NULL
     FROM jsonb_to_recordset($1::jsonb) AS u (id bigint, days integer) WHERE c.stream_id = u.id`,
    [JSON.stringify(passed)],
  );
}

async function claimAll(): Promise<DueStream[]> {
  const claimed: DueStream[] = [];
  for (;;) {
    const claim = { most: 100, leaseSeconds: 300, busy: new Map(), mostPerHost: 1000 };
    const more = await claimStreams(database.pool, claim);
    if (more.length === 0) return claimed;
    claimed.push(...more);
  }
}

const checkOf = (due: DueStream, verdict: Verdict): StreamCheck => ({
  due,
  verdict,
  evidence: { isGood: verdict === 'plays', weight: WEIGHTS.silent, atMs: Date.now() },
  facts: undefined,
  failures: verdict === 'plays' ? 0 : 1,
  steps: [
    { what: 'connect', ms: 12, detail: 'connected' },
    verdict === 'plays'
      ? { what: 'audio', ms: 0, detail: 'MPEG 1 Layer 3' }
      : { what: 'audio', ms: 0, detail: 'nobody answers', code: 'no_answer' },
  ],
  dueInSeconds: 3600,
});

const findingOf = async (id: number): Promise<StreamFinding | undefined> =>
  (await listFindings(database.pool, [id], Temporal.Now.instant())).get(id);

test('why a stream was silent stays known when it is heard again', async () => {
  await database.pool.query('DELETE FROM stream_checks WHERE stream_id = 1');
  const fresh = await finish('plays');
  assert.deepEqual([fresh?.failure, fresh?.failureCode, fresh?.failedAt], [undefined, undefined, undefined]);
  const silent = await finish('dead');
  const why = ['nobody answers', 'no_answer', silent?.checkedAt];
  assert.deepEqual([silent?.failure, silent?.failureCode, silent?.failedAt], why);
  const heard = await finish('plays');
  assert.deepEqual([heard?.failure, heard?.failureCode, heard?.failedAt], why);
  assert.deepEqual(heard?.health, endingIn('m'));
});

const finish = async (verdict: Verdict): Promise<StreamFinding | undefined> => {
  const due = await claimStream(database.pool, 1);
  assert.ok(due);
  await finishStreams(database.pool, [checkOf(due, verdict)]);
  return findingOf(1);
};

test('a day on which it was only full, elsewhere or not for us is no silent day', async () => {
  await database.pool.query('DELETE FROM stream_checks WHERE stream_id = 1');
  const days: [checks: Verdict[], letters: string][] = [
    [['busy', 'geo', 'refused'], ''],
    [['plays', 'busy'], 'h'],
    [['refused'], 'h-'],
    [['geo', 'dead'], 'h-s'],
    [['tls', 'busy', 'plays'], 'h-sm'],
    [['busy'], 'h-sm-'],
    [['codec'], 'h-sm-s'],
    [['hls', 'refused'], 'h-sm-ss'],
  ];
  for (const [verdicts, letters] of days) {
    await database.pool.query('UPDATE stream_checks SET health_day = health_day - 1 WHERE stream_id = 1');
    for (const verdict of verdicts) await finish(verdict);
    assert.deepEqual((await findingOf(1))?.health, endingIn(letters), verdicts.join(' '));
  }
});

test('what listeners report is not counted', async () => {
  const known = (await findingOf(3)) ?? assert.fail();
  assert.match(String(known.health), /heard|silent|mixed/);
  for (const isGood of [false, true])
    assert.equal(await countReport(database.pool, { streamId: 3, reporter: randomBytes(32), isGood }), true);
  const now = await findingOf(3);
  assert.deepEqual([now?.health, now?.failedAt], [known.health, known.failedAt]);
});

test('a stream that was never checked has no health', async () => {
  await database.pool.query('DELETE FROM stream_checks WHERE stream_id = 2');
  await database.pool.query(
    "INSERT INTO stream_checks (stream_id, host, next_due_at) VALUES (2, 'h', now())",
  );
  const finding = await findingOf(2);
  assert.ok(finding);
  assert.equal(finding.health, undefined);
});
