import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../test/database/database.ts';
import { createLog } from '../../lib/log.ts';
import { listRecentRadios, MAX_RADIOS, Radios } from './radios.ts';
import { type DiaryCall, MAX_CALLS } from './recent-calls.ts';

const log = createLog({ level: 'silent' });
const callerAt = (address: string, partnerId?: string, userAgent?: string) => ({
  address,
  partnerId,
  userAgent,
  profile: () => 'linn',
});
const callAt =
  (at: number, what = 'Browse') =>
  (): DiaryCall => ({ at, what, status: 200 });
/** The table keeps what is recent, so these are. */
const START = Date.now();

test('of each caller the latest calls are kept, whoever it is, the latest caller first', async () => {
  await using database = await testDatabase();
  const { pool } = database;
  await using radios = new Radios(pool, log, 72);
  let at = START;
  for (const count of [30, 3, 15]) {
    for (let turn = 0; turn < count; turn += 1)
      radios.note(callerAt('192.168.1.5', 'abc', 'Linn/4 (x)'), callAt((at += 1)));
    await radios.write();
  }
  radios.note(callerAt('192.168.1.5'), callAt(at + 1, 'Tune s1'));
  radios.note(callerAt('192.168.1.6', 'a b\n"c'), callAt(at + 2));
  await radios.write();
  const [third, second, first] = await listRecentRadios(pool);
  assert.deepEqual([third?.address, third?.partner_id], ['192.168.1.6', 'a?b?"c']);
  assert.deepEqual([second?.address, second?.partner_id, second?.agent], ['192.168.1.5', '', '']);
  assert.deepEqual(
    [first?.address, first?.partner_id, first?.agent, first?.profile],
    ['192.168.1.5', 'abc', 'Linn', 'linn'],
  );
  assert.deepEqual(
    first?.calls,
    Array.from({ length: MAX_CALLS }, (_none, place) => ({ at: at - place, what: 'Browse', status: 200 })),
  );
  assert.equal((await listRecentRadios(pool, '192.168.1.5')).length, 2);
});

test('of an address on the internet only the network is kept, and its neighbours are one', async () => {
  await using database = await testDatabase();
  await using radios = new Radios(database.pool, log, 72);
  radios.note(callerAt('81.2.69.142'), callAt(START));
  radios.note(callerAt('81.2.69.143'), callAt(START + 1));
  radios.note(callerAt('2a00:1450:4001:82a::200e'), callAt(START));
  await radios.write();
  const rows = await listRecentRadios(database.pool);
  assert.deepEqual(
    rows.map(({ address }) => address),
    ['81.2.69.0', '2a00:1450:4001::'],
  );
  const { rows: found } = await database.pool.query(
    "SELECT FROM radios WHERE radios::text ~ '69[.]14[23]|200e'",
  );
  assert.deepEqual(found, []);
});

test('an answer that was cut in the middle of a character costs no caller its calls', async () => {
  await using database = await testDatabase();
  await using radios = new Radios(database.pool, log, 72);
  radios.note(callerAt('192.168.1.5'), () => ({
    ...callAt(START)(),
    status: 404,
    answer: 'there is no \ud83d',
  }));
  radios.note(callerAt('192.168.1.6'), callAt(START));
  await radios.write();
  assert.deepEqual(
    (await listRecentRadios(database.pool)).map(({ address }) => address),
    ['192.168.1.5', '192.168.1.6'],
  );
});

test('neither memory nor the table grows with callers, and old ones leave', async () => {
  await using database = await testDatabase();
  const { pool } = database;
  await using radios = new Radios(pool, log, 72);
  for (let n = 0; n < 1000; n += 1) radios.note(callerAt(`10.0.${n >> 8}.${n & 255}`), callAt(START));
  await radios.write();
  assert.equal((await listRecentRadios(pool)).length, 50, 'what one second brings');
  for (let round = 0; round < 10; round += 1) {
    for (let n = 0; n < 50; n += 1) radios.note(callerAt(`10.1.${round}.${n}`), callAt(START + round));
    await radios.write();
  }
  assert.equal((await listRecentRadios(pool)).length, MAX_RADIOS);
  await pool.query("UPDATE radios SET seen_at = now() - interval '73 hours' WHERE address <> '10.1.9.1'");
  radios.note(callerAt('10.1.9.1'), callAt(START + 20));
  await radios.write();
  assert.deepEqual(
    (await listRecentRadios(pool)).map(({ address }) => address),
    ['10.1.9.1'],
  );
});

test('with KEEP_CALLS_HOURS=0 nothing is kept, and what was kept is deleted', async () => {
  await using database = await testDatabase();
  const { pool } = database;
  {
    await using radios = new Radios(pool, log, 72);
    radios.note(callerAt('10.0.0.1'), callAt(START - 1000));
  }
  assert.equal((await listRecentRadios(pool)).length, 1, 'a stop writes what waits');
  {
    await using radios = new Radios(pool, log, 0);
    radios.note(callerAt('10.0.0.2'), callAt(START));
  }
  assert.equal((await listRecentRadios(pool)).length, 0);
});

test('a database that is away costs one line of log, not one a second', async () => {
  await using database = await testDatabase();
  const lines: string[] = [];
  const sink = { write: (line: string) => void lines.push(line) };
  await database.pool.query('DROP TABLE radios');
  await using radios = new Radios(database.pool, createLog({ level: 'warn', sink }), 72);
  for (let turn = 0; turn < 3; turn += 1) {
    radios.note(callerAt('10.0.0.1'), callAt(START));
    await radios.write();
  }
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /the latest calls of radios could not be stored/);
});
