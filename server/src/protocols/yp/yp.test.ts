import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { mp3Frames } from '../../../test/stations/sounds.ts';
import { type RawStation, serveRaw } from '../../../test/stations/serve-raw.ts';
import { HOST, streamOf, type YpApp, ypApp } from '../../../test/apps/yp-app.ts';
import { announcedStationsJobs } from '../../app/announced-stations.ts';
import { createLog } from '../../lib/log.ts';
import { addStationKey } from '../../storage/catalog/stations/station-keys.ts';
import { MAX_OF_NETWORK } from '../../storage/catalog/streams/announced-streams.ts';

const SOUND = mp3Frames(120);
/** Somebody else than the host of the streams. */
const STRANGER = '203.0.113.7';
const SEEDED = 'http://stream.example.net/harbourfolk-128.mp3';

let app: YpApp;
let station: RawStation;
before(async () => {
  app = await ypApp();
  station = await serveRaw({
    '/quay.mp3': streamOf('Quay Radio', SOUND),
    '/quay-hq.mp3': streamOf('Quay Radio', SOUND),
    '/other.mp3': streamOf('Other Radio', SOUND),
    '/page.mp3': 'HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<html>no sound</html>',
  });
});
after(async () => {
  await station?.[Symbol.asyncDispose]();
  await app?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await app.seeded.database.pool.query('TRUNCATE announced_streams');
  app.clock.advance({ hours: 1 });
});

const adding = (path: string, more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  action: 'add',
  sn: 'Quay Radio',
  genre: 'Jazz Swing',
  cpswd: '',
  desc: 'Unspecified description',
  url: 'http://quay.example.net/',
  listenurl: station.address(path),
  type: 'audio/mpeg',
  stype: 'mp3',
  b: '128',
  ...more,
});

const rowsOf = async <Row extends object>(text: string, params: unknown[] = []): Promise<Row[]> =>
  (await app.seeded.database.pool.query<Row>(text, params)).rows;

const stationOf = (path: string): Promise<{ id: number; name: string; name_key: string }[]> =>
  rowsOf(
    'SELECT s.id, s.name, s.name_key FROM stations s JOIN streams t ON t.station_id = s.id WHERE t.address = $1 AND t.listed',
    [station.address(path)],
  );

test('a stream is announced, heard, listed; its songs are known; removed, it stays for those who saved it', async () => {
  const added = await app.call(adding('/quay.mp3'));
  assert.deepEqual(
    { ...added, sid: '' },
    { status: 200, isOk: true, message: 'Added', sid: '', touchSeconds: 180 },
  );
  assert.match(added.sid, /^[0-9a-f]{32}$/);
  const song = {
    action: 'touch',
    sid: added.sid,
    st: 'The Duo - First Light',
    listeners: '4',
    max_listeners: '9',
  };

  assert.ok((await app.call(song)).isOk, 'it may be touched before it is heard');
  assert.deepEqual(await stationOf('/quay.mp3'), [], 'nobody has heard it yet');
  await app.list();
  assert.deepEqual(await stationOf('/quay.mp3'), []);

  assert.deepEqual(await app.listen(), { '/quay.mp3': 'proven' });
  const { added: count } = await app.list();
  assert.equal(count, 1);
  const [listed] = await stationOf('/quay.mp3');
  assert.equal(listed?.name, 'Quay Radio');
  const genres = await rowsOf(
    'SELECT g.slug FROM station_genres JOIN genres g ON g.id = genre_id WHERE station_id = $1',
    [listed.id],
  );
  assert.deepEqual(genres, [{ slug: 'swing' }], 'the finer one of jazz and swing');

  assert.equal(app.board.songOf(listed.id), undefined);
  assert.ok(
    (await app.call(`${new URLSearchParams(song).toString()}\r\n`)).isOk,
    'Icecast ends a body like a line',
  );
  assert.equal(app.board.songOf(listed.id)?.title, 'First Light');
  assert.equal(app.board.songOf(listed.id)?.artist, 'The Duo');
  assert.equal(app.board.songOf(listed.id)?.source, 'push');

  assert.ok((await app.call({ action: 'remove', sid: added.sid })).isOk);
  const again = await app.call(song);
  assert.deepEqual([again.isOk, /add it again/.test(again.message)], [false, true]);
  assert.equal((await app.call({ action: 'remove', sid: added.sid })).isOk, false);
  const summary = await app.list();
  assert.equal(summary.absent, 1, 'noted as gone, and unlisted once it was silent for long');
  assert.equal((await stationOf('/quay.mp3')).length, 1);
});

test('two streams of one server and one name are one station', async () => {
  await app.call(adding('/quay.mp3'));
  await app.call(adding('/quay-hq.mp3', { b: '320' }));
  assert.deepEqual(await app.listen(), { '/quay-hq.mp3': 'proven', '/quay.mp3': 'proven' });
  await app.list();
  const [one] = await stationOf('/quay.mp3');
  assert.deepEqual(await stationOf('/quay-hq.mp3'), [one]);
});

test('whom songs are believed of: the host of the stream alone, and of no station that has a key', async () => {
  const folk = app.seeded.directory
    .current()
    .stations.find(({ streams }) => streams.some(({ address }) => address === SEEDED));
  assert.ok(folk);
  const announceFolk = (from: string) => app.call({ ...adding('/'), sn: folk.name, listenurl: SEEDED }, from);
  const [stranger, host] = [await announceFolk(STRANGER), await announceFolk(HOST)];
  assert.ok(stranger.isOk && host.isOk);
  const sing = async (sid: string, title: string): Promise<string | undefined> => {
    await app.call({ action: 'touch', sid, st: `Somebody - ${title}` });
    return app.board.songOf(folk.id)?.title;
  };
  assert.equal(await sing(host.sid, 'Unheard'), undefined, 'before it is heard, nobody');
  const pool = app.seeded.database.pool;
  const prove = (network: string, proof: string): Promise<unknown> =>
    pool.query('UPDATE announced_streams SET heard_at = now(), proof = $2 WHERE network = $1', [
      network,
      proof,
    ]);
  await prove(STRANGER, 'name');
  await prove(HOST, 'host');
  assert.equal(await sing(stranger.sid, 'Forged'), undefined);
  assert.equal(await sing(host.sid, 'Genuine'), 'Genuine');
  await addStationKey(pool, folk.id, 'studio');
  assert.equal(await sing(host.sid, 'Overruled'), 'Genuine');
  const asItWas = await rowsOf('SELECT * FROM stations WHERE id = $1', [folk.id]);
  await app.call({ ...adding('/'), sn: 'Stolen Name', url: 'http://thief.example.net/', listenurl: SEEDED });
  await prove(HOST, 'host');
  await app.list();
  assert.deepEqual(await rowsOf('SELECT * FROM stations WHERE id = $1', [folk.id]), asItWas);
});

test('an announcement takes nothing over: a name and a homepage join it to no station, an address changes none', async () => {
  const folk = app.seeded.directory.current().stations.find(({ name }) => name === 'Harbour Folk');
  assert.ok(folk?.homepage);
  const asItWas = await rowsOf('SELECT * FROM stations WHERE id = $1', [folk.id]);
  await app.call(adding('/other.mp3', { sn: 'Harbour Folk', url: folk.homepage }));
  assert.deepEqual(await app.listen(), { '/other.mp3': 'proven' });
  await app.list();
  const [own] = await stationOf('/other.mp3');
  assert.ok(own && own.id !== folk.id, 'it is a station of its own');
  const stream = folk.streams[0];
  await app.call({ ...adding('/'), sn: 'Renamed', listenurl: stream?.address ?? '' });
  await app.seeded.database.pool.query("UPDATE announced_streams SET heard_at = now(), proof = 'host'");
  const { added } = await app.list();
  assert.equal(added, 0, 'it is joined to the station of that address');
  assert.deepEqual(await rowsOf('SELECT * FROM stations WHERE id = $1', [folk.id]), asItWas);
});

test('what is not heard, or not proven, is listed nowhere, and an operator reads why', async () => {
  await app.call(adding('/page.mp3'));
  await app.call(adding('/other.mp3', { sn: 'Not Its Name' }), STRANGER);
  await app.call(adding('/quay.mp3'), STRANGER);
  await app.call({ ...adding('/'), listenurl: 'http://inside.example.net:8000/admin' }, '203.0.113.8');
  assert.deepEqual(await app.listen(), {
    '/admin': 'silent',
    '/other.mp3': 'unproven',
    '/page.mp3': 'silent',
    '/quay.mp3': 'proven',
  });
  assert.deepEqual(await app.listen(), {}, 'none is due again at once');
  const problems = await rowsOf<{ address: string; problem: string | null; proof: string | null }>(
    'SELECT address, problem, proof FROM announced_streams ORDER BY address',
  );
  assert.deepEqual(
    problems.map(({ proof }) => proof),
    [null, null, null, 'name'],
  );
  assert.match(problems[0]?.problem ?? '', /not.*allowed|private|internet/i);
  assert.match(problems[1]?.problem ?? '', /another name/);
  const listed = await stationOf('/page.mp3');
  assert.deepEqual(listed, []);
});

const REFUSED: [why: string, form: Record<string, string>, words: RegExp][] = [
  ['a private address', { listenurl: 'http://192.168.1.4:8000/live' }, /private network.*hostname/],
  ['the machine itself', { listenurl: 'http://localhost:8000/live.mp3' }, /private network.*hostname/],
  ['a name of a private network', { listenurl: 'http://box.lan:8000/live' }, /private/],
  ['the cloud’s own services', { listenurl: 'http://169.254.169.254/latest' }, /private/],
  ['what is nearly a private address', { listenurl: 'http://192.168.1.1../live' }, /malformed/],
  ['a port of another service', { listenurl: 'http://radio.example.net:6379/live' }, /port 6379/],
  ['another scheme', { listenurl: 'file:///etc/passwd' }, /scheme/],
  ['no address', { listenurl: '' }, /malformed/],
  ['no name', { sn: '' }, /no name/],
  ['Icecast’s own default for a name', { sn: 'Unspecified name' }, /no name/],
  ['an unknown action', { action: 'steal' }, /add, touch or remove/],
  ['a SID that nobody has', { action: 'touch', sid: '0'.repeat(32) }, /add it again/],
  ['no SID', { action: 'touch', sid: "' OR 1=1" }, /add it again/],
];
for (const [why, form, words] of REFUSED) {
  test(`refused, with words for the log of Icecast: ${why}`, async () => {
    const { status, isOk, message, sid } = await app.call({ ...adding('/quay.mp3'), ...form });
    assert.deepEqual([status, isOk, sid], [200, false, '']);
    assert.match(message, words);
    assert.deepEqual(await rowsOf('SELECT FROM announced_streams'), []);
  });
}

test('ten thousand announcements of one address: twenty are kept, and the rest costs no row', async () => {
  let ok = 0;
  const one = async (n: number): Promise<void> => {
    const form = { ...adding('/'), listenurl: `http://radio.example.net:8000/m${n}.mp3` };
    if ((await app.call(form, STRANGER)).isOk) ok += 1;
    // As if they were spread over hours.
    app.clock.advance({ seconds: 3 });
  };
  for (let n = 0; n < 10_000; n += 50)
    await Promise.all(Array.from({ length: 50 }, (_, more) => one(n + more)));
  assert.equal(ok, MAX_OF_NETWORK);
  assert.equal((await rowsOf('SELECT FROM announced_streams')).length, MAX_OF_NETWORK);
  const elsewhere = await app.call(adding('/quay.mp3'));
  assert.ok(elsewhere.isOk, 'others are not kept out');
});

test('a server that starts again gets a new SID for the same row, and keeps what was proven', async () => {
  const first = await app.call(adding('/quay.mp3'));
  await app.listen();
  const second = await app.call(adding('/quay.mp3'));
  assert.notEqual(second.sid, first.sid);
  assert.equal((await app.call({ action: 'touch', sid: first.sid })).isOk, false);
  assert.deepEqual(await rowsOf('SELECT proof FROM announced_streams'), [{ proof: 'host' }]);
  await app.call(adding('/quay.mp3', { sn: 'Quay Radio Two' }));
  assert.deepEqual(
    await rowsOf('SELECT proof FROM announced_streams'),
    [{ proof: null }],
    'another name is to be proven',
  );
});

test('what is not touched for ten minutes is over', async () => {
  const { sid } = await app.call(adding('/quay.mp3'));
  await app.seeded.database.pool.query(
    "UPDATE announced_streams SET expires_at = now() - interval '1 second'",
  );
  assert.equal((await app.call({ action: 'touch', sid })).isOk, false);
  assert.deepEqual(await app.listen(), {});
});

test('the secret of a stream is not in the database', async () => {
  const { sid } = await app.call(adding('/quay.mp3'));
  const [row] = await rowsOf<{ text: string }>(
    'SELECT announced_streams::text AS text FROM announced_streams',
  );
  assert.ok(row && !row.text.includes(sid));
});

test('GET of the address of announcements says what it is for; a body without end is refused', async () => {
  const { status, body } = await app.get('/cgi-bin/yp-cgi');
  assert.equal(status, 400);
  assert.match(body, /yp-url/);
  assert.equal((await app.call(`action=add&sn=${'x'.repeat(20_000)}`)).status, 413);
});

test('the jobs of a worker list what was heard, and do nothing where nothing was announced', async () => {
  const { pool } = app.seeded.database;
  const jobs = announcedStationsJobs({
    pool,
    log: createLog({ level: 'silent' }),
    absence: { withdrawAfterDays: 30 },
  });
  const run = async (): Promise<string[]> => {
    const words: string[] = [];
    for (const { work } of jobs) words.push(await work(AbortSignal.timeout(60_000)));
    return words;
  };
  await pool.query("DELETE FROM station_records WHERE source = 'yp'");
  assert.deepEqual(await run(), ['nothing', 'nothing']);
  await app.call(adding('/quay.mp3'));
  assert.deepEqual(await run(), ['nothing', 'nothing'], 'it is not heard yet');
  await app.listen();
  assert.deepEqual(await run(), ['listed', 'done']);
  assert.deepEqual(await run(), ['nothing', 'done']);
});
