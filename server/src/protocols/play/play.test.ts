import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { directoryStream as stream } from '../../../test/content/directory-stream.ts';
import { sendRaw, startServer, type TestServer } from '../../../test/apps/http-server.ts';
import { ManualClock } from '../../../test/time/manual-clock.ts';
import { seededDirectory, type SeededDirectory } from '../../../test/content/seeded-directory.ts';
import { PROFILES } from '../../core/devices/profiles.ts';
import { Aliases } from '../../core/directory/lookup/by-any-id.ts';
import type { DirectoryStation, DirectoryStream } from '../../core/directory/snapshot/snapshot.ts';
import { RelayKeys } from '../../core/streams/relay/relay-address.ts';
import { RelayLinks } from '../../core/streams/relay/relay-links.ts';
import { StationStreams } from '../../core/streams/station-streams.ts';
import { Chooser } from '../radiotime/tune/choice.ts';
import { tune } from '../radiotime/tune/tune.ts';
import { play } from './play.ts';

const SILENT = 900_000;
const relay = new RelayLinks({
  keys: new RelayKeys('a key for the tests of the play address', []),
  relays: [{ origin: 'http://relay.test:8704', secureOrigin: undefined, isReady: () => true }],
  port: 8704,
  converts: true,
  isHome: () => true,
});

/** Streams of every kind that some device cannot play. */
const KINDS: readonly (readonly DirectoryStream[])[] = [
  [stream(1), stream(2, { format: 'aac', bitrate: 320 })],
  [stream(3, { address: 'https://a/3' })],
  [stream(4, { address: 'https://a/4' }), stream(5, { address: 'http://a/5', bitrate: 64 })],
  [stream(6, { format: 'hls' })],
  [stream(7, { format: 'opus' })],
  [stream(8, { playlist: 'pls' }), stream(9, { playlist: 'm3u', resolvedAddress: 'https://b/ä 9' })],
  [stream(10, { verdict: 'dead' }), stream(11, { verdict: 'geo', format: undefined })],
  [stream(12, { redirects: 7, resolvedAddress: 'http://b/12' })],
];
const SECURE_ONLY = 's2';

let seeded: SeededDirectory;
let stations: readonly DirectoryStation[];
let plain: TestServer;
let relayed: TestServer;
before(async () => {
  seeded = await seededDirectory();
  const { directory, database } = seeded;
  const { pool: db } = database;
  await db.query(
    `INSERT INTO stations (id, name, name_key, listed) VALUES ($1, 'Mute FM', 'mute fm', false)`,
    [SILENT],
  );
  await db.query(`INSERT INTO aliases VALUES ('elsewhere', 'old-77', 's', 1)`);
  stations = KINDS.map((streams, index) => ({ ...directory.current().stations[0]!, id: index + 1, streams }));
  const stationById = new Map(stations.map((station) => [station.id, station]));
  const made = { current: () => ({ ...directory.current(), stationById }) };
  const aliases = new Aliases(db);
  const clock = new ManualClock('2026-01-09T12:00:00Z');
  const serve = (links?: RelayLinks): Promise<TestServer> =>
    startServer([tune({ directory: made, db, aliases, clock, chooser: new Chooser(undefined, links) })], {
      clock,
      publicHosts: [],
      protocols: [play({ directory: made, db, aliases, streams: new StationStreams(undefined, links) })],
    });
  [plain, relayed] = [await serve(), await serve(relay)];
});
after(async () => {
  for (const opened of [plain, relayed, seeded]) await opened?.[Symbol.asyncDispose]();
});

const get = (path: string, headers: Record<string, string> = {}, server = plain): Promise<Response> =>
  fetch(server.origin + path, { redirect: 'manual', headers });

test('every kind of device is sent where Tune sends it, with and without a relay', async () => {
  let unplayable = 0;
  let atRelay = 0;
  for (const server of [plain, relayed])
    for (const { id: device } of PROFILES)
      for (const { id } of stations) {
        const tuned = await (await get(`/Tune.ashx?id=s${id}&device=${device}`, {}, server)).text();
        const played = await get(`/play/s${id}.mp3?device=${device}`, {}, server);
        const location = played.headers.get('location') ?? '';
        atRelay += Number(location.startsWith('http://relay.test:8704/'));
        if (tuned.includes('/notcompatible.')) {
          assert.equal(played.status, 406, await played.text());
          unplayable += 1;
        } else {
          assert.equal(played.status, 302);
          const [first = ''] = tuned.split('\n', 1);
          assert.equal(location, first.replace('ä 9', '%C3%A4%209'), `s${id} for ${device}`);
          const list = await get(`/play/s${id}.m3u?device=${device}`, {}, server);
          assert.equal(await list.text(), tuned);
        }
      }
  assert.ok(unplayable > 0 && atRelay > 0, `${unplayable} that nothing plays, ${atRelay} at the relay`);
});

test('a player is known by its User-Agent', async () => {
  const path = `/play/${SECURE_ONLY}.mp3`;
  assert.equal((await get(path, { 'user-agent': 'VLC/3.0.18 LibVLC/3.0.18' })).status, 302);
  const refused = await get(`${path}?device=old-radio`);
  assert.equal(refused.status, 406);
  assert.match(await refused.text(), /HTTPS/);
  assert.equal((await get(`${path}?device=toaster`)).status, 400);
});

test('playlists for players that follow no redirect', async () => {
  const pls = await get('/play/s1.pls');
  assert.equal(pls.headers.get('content-type'), 'audio/x-scpls');
  assert.match(await pls.text(), /^\[playlist\]\nFile1=http:\/\/a\/1\nTitle1=Lantern Jazz\n/);
  const xspf = await get('/play/s1.XSPF');
  assert.match(await xspf.text(), /<location>http:\/\/a\/1</);
});

test('what cannot be played is refused with the reason', async () => {
  for (const [path, reason] of [
    ['/play/s987654.mp3', /no station s987654/],
    [`/play/s${SILENT}.mp3`, /nothing to hear of Mute FM/],
    ['/play/p1.mp3', /no station p1/],
    ['/play/', /such as \/play\/s123\.mp3/],
    ['/play/s1.mp3/more', /such as \/play\/s123\.mp3/],
    ['/play/s99999999999999999999.mp3', /no station/],
  ] as const) {
    const response = await get(path);
    assert.equal(response.status, 404, path);
    assert.match(await response.text(), reason);
    assert.equal(response.headers.get('location'), null);
  }
});

test('an id of another directory leads to its station', async () => {
  const response = await get('/play/OLD-77.mp3');
  assert.equal(response.headers.get('location'), 'http://a/1');
});

test('a proxy request line, slashes too many, any case and HEAD reach the same answer', async () => {
  const { httpPort } = plain.listeners;
  const ask = async (line: string): Promise<string> => {
    const [head = ''] = (await sendRaw(httpPort, `${line}\r\nHost: x\r\nConnection: close\r\n\r\n`)).split(
      '\r\n\r\n',
      1,
    );
    return head.replace(/\r\nDate: .*/, '').replace(/Content-Length: \d+/, '');
  };
  const usual = await ask('GET /play/s1.mp3 HTTP/1.1');
  assert.match(usual, /^HTTP\/1\.1 302 .*\r\nLocation: http:\/\/a\/1\r\n/s);
  for (const line of [
    'GET http://denon.vtuner.com:80/play/s1.mp3 HTTP/1.1',
    'GET HTTPS://denon.vtuner.com/play/s1.mp3 HTTP/1.1',
    'GET //play//s1.mp3 HTTP/1.1',
    'GET /PLAY/S1.MP3 HTTP/1.1',
    'HEAD /play/s1.mp3 HTTP/1.1',
    'GET /play/s1 HTTP/1.1',
    'GET /play/s1.mp3 HTTP/1.0',
  ])
    assert.equal(await ask(line), usual, line);
});

test('the host of a proxy request line is that of the links, for radios too', async () => {
  const { httpPort } = plain.listeners;
  const said = await sendRaw(
    httpPort,
    'GET http://denon.vtuner.com:80/Tune.ashx?id=s900000 HTTP/1.1\r\nHost: other\r\nConnection: close\r\n\r\n',
  );
  assert.match(said, /\r\n\r\nhttp:\/\/denon\.vtuner\.com\/\S+nostream/);
  assert.match(
    await sendRaw(httpPort, 'GET http://x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    /^HTTP\/1\.1 404/,
  );
});
