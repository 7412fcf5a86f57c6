import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { outcomeOf } from '../../../../test/apps/account-app.ts';
import { ADDRESSES, newAddress, type ReportApp, reportApp } from '../../../../test/apps/report-app.ts';
import { deviceKey } from '../../../core/accounts/devices/devices.ts';
import { networkHashes, loginNetworkOf } from '../../../core/accounts/login/known-networks.ts';
import { BUDGETS } from '../../../core/accounts/budgets.ts';

let radio: ReportApp;
before(async () => {
  radio = await reportApp();
});
after(() => radio[Symbol.asyncDispose]());
afterEach(() => radio.database.pool.query('TRUNCATE stream_checks, counted_reports, reports'));

/** `11:-1 21:+2`: how many complaints and praises count for each stream. */
async function counted(): Promise<string> {
  const { rows } = await radio.database.pool.query<{ text: string }>(
    `SELECT string_agg(stream_id || ':' || CASE WHEN is_good THEN '+' ELSE '-' END || n, ' ' ORDER BY stream_id) AS text
     FROM (SELECT stream_id, is_good, count(*) AS n FROM counted_reports GROUP BY 1, 2) AS c`,
  );
  return rows[0]?.text ?? '';
}

interface Kept {
  item: string | null;
  address: string | null;
  error_code: number | null;
  message: string | null;
  occurrences: number;
  state: string;
  partner_id: string | null;
}

const kept = async (): Promise<Kept[]> =>
  (
    await radio.database.pool.query<Kept>(
      `SELECT item_kind || item_id AS item, address, error_code, message, occurrences, state, partner_id
       FROM reports ORDER BY id`,
    )
  ).rows;

const report = async (fields: Record<string, string>, from?: string): Promise<void> => {
  const answer = await radio.say({ c: 'stream', ...fields }, from);
  assert.equal(outcomeOf(answer), '200', answer.body);
  assert.doesNotMatch(answer.body, /<outline/, 'no body content');
  assert.match(answer.headers['cache-control'] ?? '', /no-store/);
};

test('a failure counts against the stream that the caller is given first', async () => {
  await report({ id: 's1', partnerId: 'maker', message: 'no sound' });
  assert.equal(await counted(), '11:-1');
  assert.deepEqual(await kept(), [
    {
      item: 'e11',
      address: null,
      error_code: null,
      message: 'no sound',
      occurrences: 1,
      state: 'settled',
      partner_id: 'maker',
    },
  ]);
});

const NAMED: [what: string, fields: Record<string, string>, stream: string][] = [
  ['the id of a stream', { id: 'e12' }, '12'],
  ['an id from elsewhere', { id: 's424242' }, '11'],
  ['an address alone', { url: ADDRESSES[12] ?? '' }, '12'],
  ['an address under its other name', { streamUrl: ADDRESSES[12] ?? '' }, '12'],
  ['an address beside the station', { id: 's1', url: ADDRESSES[12] ?? '' }, '12'],
  ['another spelling of an address', { url: 'https://other.example.net/live/?utm_source=x' }, '12'],
  ['an address of another station than the id', { id: 's1', url: ADDRESSES[21] ?? '' }, '21'],
  ['an address beside an id that names nothing', { id: 's999', url: ADDRESSES[12] ?? '' }, '12'],
  ['an address beside an id that is none', { id: 'undefined', url: ADDRESSES[12] ?? '' }, '12'],
];
for (const [what, fields, stream] of NAMED) {
  test(`the stream is named by ${what}`, async () => {
    await report({ ...fields, error: '404' });
    assert.equal(await counted(), `${stream}:-1`);
  });
}

test('the address to which a check found a playlist to lead names the stream', async () => {
  await report({ id: 'e21', error: '1' });
  await radio.database.pool.query(
    "UPDATE stream_checks SET resolved_address = 'http://deep.example.net:9000/a?b=1' WHERE stream_id = 21",
  );
  await report({ url: 'http://deep.example.net:9000/a?b=1', error: '1' });
  assert.equal(await counted(), '21:-2');
});

test('of the streams of an address the one that is listed is meant', async () => {
  const { pool } = radio.database;
  await report({ id: 'e21', error: '1' });
  await pool.query(`
    UPDATE stream_checks SET resolved_address = 'http://deep.example.net/live' WHERE stream_id = 21;
    INSERT INTO streams (id, station_id, address, address_key, listed)
    VALUES (20, 2, 'http://deep.example.net/live', md5('deep.example.net/live')::uuid, false);`);
  await report({ url: 'http://deep.example.net/live', error: '1' });
  await pool.query('DELETE FROM streams WHERE id = 20');
  assert.equal(await counted(), '21:-2');
});

test('without an error and a message it plays; a form says the same as a query', async () => {
  await report({ id: 's1' });
  const answer = await radio.post({ c: 'stream', id: 's1', url: ADDRESSES[12] ?? '' });
  assert.equal(outcomeOf(answer), '200');
  assert.equal(await counted(), '11:+1 12:+1');
  assert.deepEqual(await kept(), [], 'there is nothing to read');
});

test('an address that nobody knows waits to be read, and moves nothing', async () => {
  await report({ id: 's1', url: 'http://moved.example.net/new', message: 'gone' });
  await report({ url: 'rtsp://elsewhere.example/x', error: '-5' });
  assert.equal(await counted(), '');
  assert.deepEqual(
    (await kept()).map(({ item, address, error_code, state }) => [item, address, error_code, state]),
    [
      ['s1', 'http://moved.example.net/new', null, 'open'],
      [null, 'rtsp://elsewhere.example/x', -5, 'open'],
    ],
  );
});

test('a topic that fails waits to be read', async () => {
  await report({ id: 't1029', error: '1' });
  assert.deepEqual(
    (await kept()).map(({ item, state }) => [item, state]),
    [['t1029', 'open']],
  );
});

test('a reported address is never asked', async () => {
  let connections = 0;
  const canary = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  canary.listen(0, '127.0.0.1');
  await once(canary, 'listening');
  const address = canary.address();
  assert.ok(typeof address === 'object' && address);
  const url = `http://127.0.0.1:${address.port}/live`;
  await report({ url, message: 'x' });
  await report({ id: 's1', url, message: 'x' });
  await report({ url });
  await radio.say({ c: 'feedback', id: 's1', text: `it has moved to ${url}` });
  await sleep(300);
  canary.close();
  assert.equal(connections, 0);
});

const REFUSED: [fields: Record<string, string>, outcome: string][] = [
  [{}, '400 request.invalid'],
  [{ message: 'x' }, '400 request.invalid'],
  [{ id: 's1', error: 'many' }, '400 request.invalid'],
  [{ id: 's1', error: '99999999999' }, '400 request.invalid'],
  [{ id: 's1', error: '4294967296' }, '400 request.invalid'],
  [{ id: 's999' }, '400 request.idInvalid'],
  [{ id: 'e999', message: 'x' }, '400 request.idInvalid'],
  [{ id: 'what ever', message: 'x' }, '400 request.idInvalid'],
  [{ id: 'g1', message: 'x' }, '400 request.idInvalid'],
];
for (const [fields, outcome] of REFUSED) {
  test(`refused: ${JSON.stringify(fields)} is ${outcome}`, async () => {
    assert.equal(outcomeOf(await radio.say({ c: 'stream', ...fields })), outcome);
    assert.equal(await counted(), '');
  });
}

test('the same again within ten minutes is counted, not kept twice', async () => {
  const from = newAddress();
  for (let n = 0; n < 5; n += 1) await report({ id: 's1', message: `try ${n}` }, from);
  await report({ id: 's1', message: 'x' });
  assert.deepEqual(
    (await kept()).map(({ occurrences, message }) => [occurrences, message]),
    [
      [5, 'try 0'],
      [1, 'x'],
    ],
  );
  radio.clock.advance({ minutes: 11 });
  await report({ id: 's1', message: 'x' }, from);
  assert.equal((await kept()).length, 3);
});

test('a house is one listener, whatever serials and names it gives', async () => {
  for (let n = 0; n < 9; n += 1)
    await report(
      { id: 's1', partnerId: 'maker', serial: `new ${n}`, username: `user${n}`, error: '1' },
      `81.2.69.${n}`,
    );
  assert.equal(await counted(), '11:-1');
  for (let n = 0; n < 2; n += 1) await report({ id: 's1', error: '1' }, `2001:db8:1:2::${n}`);
  assert.equal(await counted(), '11:-2', 'an IPv6 network is one too');
});

test('a device that saved something days ago counts for itself; one of today does not', async () => {
  const { pool } = radio.database;
  const from = newAddress();
  for (const [serial, changed] of [
    ['old', '2 days'],
    ['new', '1 hour'],
  ] as const)
    await pool.query(
      `INSERT INTO devices (scope, serial_hash, changed_at) VALUES ('maker', $1, now() - $2::interval)`,
      [deviceKey(radio.keys, 'maker', serial).hash, changed],
    );
  await report({ id: 's1', error: '1' }, from);
  await report({ id: 's1', partnerId: 'maker', serial: 'new', error: '1' }, from);
  assert.equal(await counted(), '11:-1');
  await report({ id: 's1', partnerId: 'maker', serial: 'old', error: '1' }, from);
  assert.equal(await counted(), '11:-2');
  await report({ id: 's1', partnerId: 'nobody', serial: 'old', error: '1' }, from);
  assert.equal(await counted(), '11:-2', 'a stranger’s serial is nobody’s');
  await pool.query(
    `INSERT INTO devices (scope, serial_hash, changed_at) VALUES ('maker', $1, now() - interval '2 days')`,
    [deviceKey(radio.keys, 'maker', 'older').hash],
  );
  await report({ id: 's1', partnerId: 'gone', serial: 'older', error: '1' }, from);
  assert.equal(await counted(), '11:-2', 'nor is that of a partner who was disabled');
  await report({ id: 's1', partnerId: 'maker', serial: 'older', error: '1' }, from);
  assert.equal(await counted(), '11:-3');
});

test('a named account counts for itself where it signed in, when it is not of today', async () => {
  const { pool } = radio.database;
  const from = newAddress();
  await pool.query(`
    INSERT INTO accounts (id, username, password_hash, created_at)
      VALUES (1, 'Ann', 'x', now() - interval '3 days'), (2, 'Bo', 'x', now());
    INSERT INTO usernames VALUES ('ann', 1), ('bo', 2);`);
  const [{ hash }] = networkHashes(radio.keys, loginNetworkOf(from));
  await pool.query('INSERT INTO known_networks (account_id, network_hash) VALUES (1, $1), (2, $1)', [hash]);
  await report({ id: 's1', error: '1' }, from);
  await report({ id: 's1', username: 'bo', error: '1' }, from);
  await report({ id: 's1', username: 'cy', error: '1' }, from);
  assert.equal(await counted(), '11:-1');
  await report({ id: 's1', username: 'ANN', error: '1' }, from);
  assert.equal(await counted(), '11:-2');
  await report({ id: 's1', username: 'ann', error: '1' });
  assert.equal(await counted(), '11:-3', 'from elsewhere anybody may say so: it is that network');
});

test('nothing kept names a listener', async () => {
  await report(
    { id: 's1', partnerId: 'maker', serial: 'MY-SERIAL', username: 'myname', error: '1' },
    '81.2.70.9',
  );
  const { rows } = await radio.database.pool.query<{ text: string }>(
    `SELECT (SELECT string_agg(c::text, ' ') FROM counted_reports c) || (SELECT string_agg(r::text, ' ') FROM reports r) AS text`,
  );
  assert.match(rows[0]?.text ?? '', /maker/);
  assert.doesNotMatch(rows[0]?.text ?? '', /MY-SERIAL|myname|81\.2\.70/i);
});

test('a house is heard so often, and then told to wait', async () => {
  const from = newAddress();
  for (let n = 0; n < BUDGETS.streamReport[0].burst; n += 1) await report({ id: 's1', error: '1' }, from);
  const { statusCode, headers, body } = await radio.say({ c: 'stream', id: 's1', error: '1' }, from);
  assert.equal(statusCode, 429);
  assert.ok(Number(headers['retry-after']) > 0);
  assert.match(body, /<fault_code>request\.tooMany</);
  await report({ id: 's1', error: '1' });
  radio.clock.advance({ minutes: 2 });
  await report({ id: 's1', error: '1' }, from);
});

test('time played says that a stream plays', async () => {
  const said = { c: 'timelist', listenId: '5', id: 's1', trigger: 'stop' };
  assert.equal(outcomeOf(await radio.post({ ...said, time1: '12|0|3' })), '200');
  assert.equal(await counted(), '', 'too short to have heard anything');
  assert.equal(outcomeOf(await radio.post({ ...said, time1: '95|0|3' })), '200');
  assert.equal(outcomeOf(await radio.post({ ...said, id: 'e12', time1: '20|0|0', time2: '20|0|1' })), '200');
  assert.equal(await counted(), '11:+1 12:+1');
  for (const wrong of [{ time1: 'long' }, { time1: '99999999' }, { time1: '5|x' }])
    assert.equal(
      outcomeOf(await radio.post({ ...said, ...wrong })),
      '400 request.invalid',
      JSON.stringify(wrong),
    );
  assert.equal(outcomeOf(await radio.post({ c: 'timelist', id: 's1' })), '400 request.invalid');
  assert.equal(outcomeOf(await radio.post({ c: 'timelist', time1: '95|0|0' })), '400 request.invalid');
  assert.equal(
    outcomeOf(await radio.post({ ...said, id: 's999', time1: '95|0|0' })),
    '400 request.idInvalid',
  );
});

test('without accounts a listener still counts once', async () => {
  await using plain = await reportApp({ hasKeys: false });
  for (let n = 0; n < 3; n += 1)
    await plain.say({ c: 'stream', id: 's1', error: '1', serial: `n${n}`, partnerId: 'maker' }, '81.2.69.1');
  const { rows } = await plain.database.pool.query('SELECT FROM counted_reports');
  assert.equal(rows.length, 1);
});
