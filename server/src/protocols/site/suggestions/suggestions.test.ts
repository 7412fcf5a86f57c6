import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { member, type SiteApp, siteApp, Visitor } from '../../../../test/apps/site-app.ts';
import { localFetcher, type RawStation, serveRaw } from '../../../../test/stations/serve-raw.ts';
import { mp3Frames } from '../../../../test/stations/sounds.ts';
import { importSuggested } from '../../../import/sources/suggested/import-suggested.ts';
import { findAccountIdByUsername } from '../../../core/accounts/accounts.ts';
import { makeOperator } from '../../../core/accounts/operators.ts';
import { purge } from '../../../core/accounts/retention.ts';
import { idsOfAddress } from '../../../core/search/queries.ts';
import { createLog } from '../../../lib/log.ts';
import { claimSuggestions } from '../../../storage/catalog/streams/suggestions.ts';
import { listenToSuggested } from '../../../workers/probe/listen-to-suggested.ts';

const heard = Buffer.concat([
  Buffer.from('HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n'),
  mp3Frames(120),
]);

let site: SiteApp;
let station: RawStation;
let anybody: Visitor;

before(async () => {
  site = await siteApp();
  anybody = new Visitor(site);
  station = await serveRaw({
    '/live': heard,
    '/declined': heard,
    '/page': 'HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<html><body>Hello</body></html>',
  });
});
after(async () => {
  await station?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const suggest = (address: string, name = 'Quay Radio', status = 201) => {
  // Limits have a test of their own.
  site.clock.advance({ hours: 1 });
  return anybody.send('POST', 'suggestions', { name, address }, status);
};

/** As a worker does. */
async function listen(): Promise<string[]> {
  const deps = { db: site.database.pool, fetcher: localFetcher() };
  await deps.db.query({ text: 'UPDATE suggestions SET next_due_at = now()' });
  const due = await claimSuggestions(deps.db, 100);
  return Promise.all(due.map((one) => listenToSuggested(deps, one)));
}

async function keeper(username: string): Promise<Visitor> {
  const as = await member(site, username);
  const { pool } = site.database;
  await makeOperator(pool, (await findAccountIdByUsername(pool, username)) ?? assert.fail());
  return as;
}

test('a station that is listed already is answered at once, with its page', async () => {
  const answer = await suggest('http://stream.example.net/7', 'Seven', 200);
  assert.deepEqual(answer, { state: 'listed', station: { id: 's7', name: 'Station 7' } });
});

test('addresses that lead nowhere on the internet are refused at once', async () => {
  const wrong = [
    'http://192.168.1.1/live',
    'http://127.0.0.1:8000/live',
    'http://[::1]/live',
    'http://[::ffff:10.0.0.1]/live',
    'http://169.254.169.254/latest',
    'http://radio.local/live',
    'http://router/live',
    'http://stream.example.net:25/live',
    'http://ann:secret@stream.example.net/live',
    'file:///etc/passwd',
    'ftp://stream.example.net/live',
    'live',
  ];
  for (const address of wrong) {
    site.clock.advance({ hours: 1 });
    const { status, json } = await anybody.ask('POST', 'suggestions', { name: 'Inside', address });
    assert.deepEqual([status, json.error.code, json.error.field], [400, 'site.invalid', 'address'], address);
  }
  const { rowCount } = await site.database.pool.query('SELECT FROM suggestions');
  assert.equal(rowCount, 0);
});

test('a name that leads into a private network is refused at the connection', async () => {
  const { id } = await suggest('http://inside.example.net:8000/live', 'Inside');
  assert.deepEqual(await listen(), ['silent']);
  assert.deepEqual(await anybody.get(`suggestions/${id}`), { state: 'silent', why: 'bad_address' });
});

test('what is no sound is told why, and an operator never sees it', async () => {
  const { id, state } = await suggest(station.address('/page'));
  assert.equal(state, 'waiting');
  assert.deepEqual(await anybody.get(`suggestions/${id}`), { state: 'waiting' });
  assert.deepEqual(await listen(), ['silent']);
  assert.deepEqual(await anybody.get(`suggestions/${id}`), { state: 'silent', why: 'page' });
  const operator = await keeper('Orla');
  assert.deepEqual(await operator.get('operator/suggestions'), { suggestions: [] });
  assert.equal((await suggest(station.address('/page'))).state, 'waiting', 'and may be tried again');
  await listen();
});

test('what is heard waits for an operator; accepted, it is a station; declined, it is not', async () => {
  const { pool } = site.database;
  const { id } = await suggest(station.address('/live'), 'Quay Radio Cork');
  const { id: other } = await suggest(station.address('/declined'), 'Unwanted');
  assert.deepEqual(await listen(), ['heard', 'heard']);
  assert.deepEqual(await anybody.get(`suggestions/${id}`), { state: 'heard' });
  const operator = await keeper('Oona');
  const { suggestions } = await operator.get('operator/suggestions');
  assert.deepEqual(
    suggestions.map(({ name, codec, kbits }: Record<string, unknown>) => [name, codec, kbits]),
    [
      ['Quay Radio Cork', 'MPEG 1 Layer 3', 128],
      ['Unwanted', 'MPEG 1 Layer 3', 128],
    ],
  );
  await operator.send('POST', `operator/suggestions/${other}`, { accept: false });
  const left = await operator.send('POST', `operator/suggestions/${id}`, { accept: true });
  assert.deepEqual(left, { suggestions: [] });
  await operator.send('POST', `operator/suggestions/${id}`, { accept: false }, 404);
  assert.equal(await importSuggested({ pool, log: createLog({ level: 'silent' }) }), 1);
  assert.equal(await importSuggested({ pool, log: createLog({ level: 'silent' }) }), 0);
  const [stationId] = await idsOfAddress(pool, id);
  const { rows } = await pool.query('SELECT name, listed FROM stations WHERE id = $1', [stationId]);
  assert.deepEqual(rows, [{ name: 'Quay Radio Cork', listed: true }]);
  assert.deepEqual(await idsOfAddress(pool, other), []);
  assert.equal((await anybody.get(`suggestions/${id}`)).state, 'listed');
  assert.equal((await suggest(station.address('/declined'), 'Unwanted')).state, 'rejected');
});

test('nothing is kept of who suggests, and nothing of a suggestion after thirty days', async () => {
  const { pool } = site.database;
  const { rows } = await pool.query<{ name: string }>(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'suggestions'",
  );
  const kept = rows.map(({ name }) => name);
  assert.ok(kept.length > 5);
  assert.deepEqual(
    kept.filter((name) => /caller|network|ip|account|token|agent/.test(name)),
    [],
  );
  await pool.query("UPDATE suggestions SET expires_at = expires_at - interval '31 days'");
  await purge(pool);
  assert.equal((await pool.query('SELECT FROM suggestions')).rowCount, 0);
});

test('a network suggests ten an hour, all of them together sixty, and so many wait at most', async () => {
  site.clock.advance({ hours: 24 });
  let number = 0;
  const from = async (network: number): Promise<number> => {
    const headers = {
      host: 'radio.test',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': `203.0.113.${network}`,
    };
    const body = { name: 'Many', address: `http://many${number++}.example.net/live` };
    return (await new Visitor(site, headers).ask('POST', 'suggestions', body)).status;
  };
  const statuses: number[] = [];
  for (let at = 0; at < 11; at++) statuses.push(await from(1));
  assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 201), 429]);
  for (let network = 2; network <= 6; network++)
    for (let at = 0; at < 10; at++) assert.equal(await from(network), 201);
  assert.equal(await from(7), 429, 'sixty from all');
  await site.database.pool.query(
    `INSERT INTO suggestions (address_key, address, name)
     SELECT gen_random_uuid(), 'http://s.example.net/' || n, 'Many' FROM generate_series(1, 139) n`,
  );
  site.clock.advance({ hours: 1 });
  assert.deepEqual([await from(1), await from(1)], [201, 429], 'two hundred wait');
  const { rowCount } = await site.database.pool.query("SELECT FROM suggestions WHERE state = 'waiting'");
  assert.equal(rowCount, 200);
});
