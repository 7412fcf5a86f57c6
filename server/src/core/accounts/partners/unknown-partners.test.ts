import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase } from '../../../../test/database/database.ts';
import { createLog } from '../../../lib/log.ts';
import { openPartnerTable } from './partner-table.ts';
import { addPartner } from './partners.ts';
import {
  agentFamily,
  countUnknownPartners,
  listUnknownPartners,
  MAX_UNKNOWN_PARTNERS,
  UnknownPartners,
} from './unknown-partners.ts';

const log = createLog({ level: 'silent' });
const KODI = { profile: 'kodi', userAgent: 'Kodi/20.1 (X11; Linux x86_64)' };
const database = await testDatabase();
after(() => database[Symbol.asyncDispose]());
const { pool } = database;
const START = Date.parse('2026-11-01T10:00:00Z');

const rows = async (db = pool): Promise<unknown[][]> =>
  (await listUnknownPartners(db, '', 5000)).map(({ id, calls, first_seen, last_seen, profile, agent }) => [
    id,
    calls,
    (first_seen.epochMilliseconds - START) / 1000,
    (last_seen.epochMilliseconds - START) / 1000,
    profile,
    agent,
  ]);

test('ids are counted in memory, and written with when they were first and last seen, the newest first', async () => {
  await using unknown = new UnknownPartners(pool, log);
  for (const second of [1, 2, 3]) unknown.note('abc', KODI, START + second * 1000);
  unknown.note('xyz', { profile: 'unknown', userAgent: undefined }, START);
  assert.deepEqual(await rows(), [], 'nothing is written for a call');
  await unknown.write();
  assert.deepEqual(await rows(), [
    ['abc', 3, 1, 3, 'kodi', 'Kodi'],
    ['xyz', 1, 0, 0, 'unknown', ''],
  ]);
  unknown.note('xyz', KODI, START + 9000);
  await unknown.write();
  await unknown.write();
  assert.deepEqual((await rows())[0], ['xyz', 2, 0, 9, 'kodi', 'Kodi']);
  const [, second] = await listUnknownPartners(pool, '', 2);
  assert.deepEqual(
    (await listUnknownPartners(pool, 'xyz', 2)).map(({ id }) => id),
    [second?.id],
    'the next page',
  );
  await addPartner(pool, { id: 'abc', name: 'Abc' });
  assert.deepEqual(
    (await rows()).map(([id]) => id),
    ['xyz'],
    'who is registered is unknown no more',
  );
});

test('they are written every ten seconds, and what waits when the service stops', async () => {
  await using own = await testDatabase();
  mock.timers.enable({ apis: ['setInterval'] });
  const unknown = new UnknownPartners(own.pool, log);
  unknown.note('abc', KODI, START);
  mock.timers.tick(10_000);
  mock.timers.reset();
  for (let tries = 0; tries < 500 && (await rows(own.pool)).length === 0; tries += 1) await sleep(20);
  assert.equal((await rows(own.pool)).length, 1);
  unknown.note('last', KODI, START);
  await unknown[Symbol.asyncDispose]();
  assert.equal((await rows(own.pool)).length, 2);
});

test('however many ids are made up, a thousand are kept, cut and without signs that harm', async () => {
  await using own = await testDatabase();
  await using unknown = new UnknownPartners(own.pool, log);
  unknown.note('the first', KODI, START - 1000);
  for (let n = 0; n < 3 * MAX_UNKNOWN_PARTNERS; n += 1) unknown.note(`made-up-${n}`, KODI, START + n);
  await unknown.write();
  assert.equal((await rows(own.pool)).length, MAX_UNKNOWN_PARTNERS);
  const long = `\u001b[31m${'x'.repeat(500)}`;
  unknown.note(long, KODI, START + 1_000_000);
  await unknown.write();
  const kept = await listUnknownPartners(own.pool, '', 5000);
  assert.equal(kept.length, MAX_UNKNOWN_PARTNERS);
  assert.equal(kept[0]?.id, `?[31m${'x'.repeat(59)}`);
  assert.ok(!kept.some(({ id }) => id === 'the?first'), 'the one seen longest ago is gone');
  assert.deepEqual(
    await countUnknownPartners(own.pool).then(({ newest }) => newest === null),
    START + 30 * 86_400_000 < Date.now(),
  );
});

test('only ids that nobody registered count, whatever becomes of unknown ones', async () => {
  await using own = await testDatabase();
  await using unknown = new UnknownPartners(own.pool, log);
  await own.pool.query("UPDATE partners SET state = 'disabled' WHERE id = '16'");
  using strict = await openPartnerTable(own.pool, log, 'registered', unknown);
  await assert.rejects(strict.admit('stranger', KODI));
  await assert.rejects(strict.admit('16', KODI), 'a disabled one is known');
  using open = await openPartnerTable(own.pool, log, 'any', unknown);
  assert.equal((await open.admit('kitchen', KODI)).registered_by, 'itself');
  await assert.rejects(open.admit('no form', KODI));
  await unknown.write();
  assert.deepEqual(new Set((await rows(own.pool)).map(([id]) => id)), new Set(['no?form', 'stranger']));
});

test('a database that is away loses counts and nothing else', async () => {
  const unknown = new UnknownPartners({ query: () => Promise.reject(new Error('away')) }, log);
  unknown.note('abc', KODI, START);
  await unknown.write();
  await unknown[Symbol.asyncDispose]();
});

const AGENTS: [userAgent: string | undefined, family: string][] = [
  ['Kodi/20.1 (X11; Linux x86_64)', 'Kodi'],
  ['Mozilla/5.0 (Windows NT 10.0)', 'Mozilla'],
  ['Music Player Daemon 0.23.12', 'Music Player Daemon'],
  ['GStreamer souphttpsrc 1.22.0 libsoup/3.2.3', 'GStreamer souphttpsrc'],
  ['python-requests/2.28.1', 'python-requests'],
  ['42', ''],
  ['correct horse battery', ''],
  [undefined, ''],
];
for (const [userAgent, family] of AGENTS)
  test(`the family of ${userAgent} is '${family}'`, () => assert.equal(agentFamily(userAgent), family));
