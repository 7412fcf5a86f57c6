import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeAuthority } from '../../../test/servers/certificates.ts';
import { AirableRadio } from '../../../test/devices/airable.ts';
import { sendRaw, startServer, type TestServer } from '../../../test/apps/http-server.ts';
import { seededDirectory, type SeededDirectory } from '../../../test/content/seeded-directory.ts';
import { Aliases } from '../../core/directory/lookup/by-any-id.ts';
import { openFolder } from '../../core/folders/folder.ts';
import { wordsFor } from '../../core/i18n/words.ts';
import { StationStreams } from '../../core/streams/station-streams.ts';
import type { Endpoint } from '../radiotime/call/endpoint.ts';
import { airable } from './airable.ts';
import { guideIdOf, radioId } from './ids.ts';

const folder = mkdtempSync(join(tmpdir(), 'longwave-airable-'));
let seeded: SeededDirectory;
let server: TestServer;
let radio: AirableRadio;
before(async () => {
  seeded = await seededDirectory();
  const { directory, database } = seeded;
  const db = database.pool;
  await db.query(`INSERT INTO aliases VALUES ('airable', '1234567890123456', 's', 1)`);
  const aliases = new Aliases(db);
  const { key, cert } = makeAuthority().issue('DNS:nobody.example');
  const [keyFile, certFile] = [join(folder, 'key'), join(folder, 'cert')];
  writeFileSync(keyFile, key, { mode: 0o600 });
  writeFileSync(certFile, cert);
  const protocols = [airable({ directory, db, aliases, streams: new StationStreams() })];
  const menu: Endpoint = {
    paths: ['/'],
    actions: new Map([['', () => ({ title: 'A menu', outlines: [] })]]),
  };
  server = await startServer(
    [menu],
    { protocols, publicHosts: [] },
    { https: { port: 0, certFile, keyFile } },
  );
  radio = new AirableRadio(server.listeners.httpsPort ?? assert.fail());
});
after(async () => {
  await server?.[Symbol.asyncDispose]();
  await seeded?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

test('a whole session: on, three menus down, a station, its sound', async () => {
  const first = await radio.boot();
  const places = first.find(({ title }) => title === 'By Location') ?? assert.fail();
  const continent = (await radio.open(places)).find(({ title }) => title === 'Europe') ?? assert.fail();
  const [country] = await radio.open(continent);
  const station = (await radio.openAll(country!)).find(({ id }) => id[1] === 'radio') ?? assert.fail();
  const { title } = await radio.show(station.id[2] ?? '');
  assert.equal(title, station.title);
  assert.match((await radio.play(station.id[2] ?? '')) ?? '', /^https?:\/\//);
});

test('every station that it can play is reached from the first menu, and its id leads back to it', async () => {
  const { stations, stationById } = seeded.directory.current();
  const seen = new Map<string, string>();
  const walk = async (line: { url: string }): Promise<void> => {
    for (const { id, title, url } of await radio.openAll(line))
      if (id[1] === 'radio') seen.set(id[2] ?? '', title);
      else if (id[2] !== 'search') await walk({ url });
  };
  await walk({ url: 'https://airable.wifiradiofrontier.com/frontiersmart/radios' });
  assert.equal(seen.size, stations.length);
  let heard = 0;
  for (const [id, title] of seen) {
    const own = Number(guideIdOf(id, 's').slice(1));
    assert.equal(radioId(own), id);
    assert.equal(stationById.get(own)?.name, title);
    if ((await radio.play(id)) !== undefined) heard += 1;
  }
  assert.ok(heard > stations.length / 2, `${heard} of ${stations.length}`);
});

test('a long menu goes on behind its last line, without a gap', async () => {
  const { directory } = seeded;
  const [music] = directory.current().topGenres;
  const id = `g${music?.id}`;
  const whole = openFolder(directory.current(), id, { offset: 0, limit: 1000, words: wordsFor('en') });
  const url = `https://airable.wifiradiofrontier.com/frontiersmart/radios/${id}`;
  const lines = await radio.openAll({ url });
  assert.deepEqual(
    lines.map(({ title }) => title),
    whole?.items.map(({ title }) => title),
  );
  assert.deepEqual(await radio.open({ url: `${url}/900000` }), []);
});

test('it is searched, and read in the language of the radio', async () => {
  const found = await radio.search('lantern');
  assert.equal(found[0]?.title, 'Lantern Jazz');
  assert.deepEqual(await radio.search(''), []);
  const german = new AirableRadio(server.listeners.httpsPort ?? 0, 'de-DE');
  assert.ok((await german.boot()).some(({ title }) => title === 'Nach Ort'));
});

test('an id that the radio stored from the service it was made for leads to its station', async () => {
  const said = await sendRaw(
    server.listeners.httpPort,
    'GET /frontiersmart/radio/1234567890123456 HTTP/1.0\r\nHost: airable.x\r\n\r\n',
  );
  const name = seeded.directory.current().stationById.get(1)?.name;
  assert.ok(said.includes(`"frontiersmart","radio","1234567890123456"],"title":"${name}"`), said);
});

test('the root is that of the host asked for: every other keeps its menu', async () => {
  const { httpPort } = server.listeners;
  const ask = (host: string): Promise<string> => sendRaw(httpPort, `GET / HTTP/1.0\r\nHost: ${host}\r\n\r\n`);
  for (const host of ['airable.wifiradiofrontier.com', 'Airable.Example:443'])
    assert.match(await ask(host), /"airable","directory","index"/, host);
  for (const host of ['radio.example', 'notairable.example', '127.0.0.1'])
    assert.match(await ask(host), /<opml/, host);
});

test('what is not there is refused with what to ask for', async () => {
  const { httpPort } = server.listeners;
  for (const [path, reason] of [
    ['radio/9000000000999999', /There is no radio/],
    ['radio/9000000000000001/play/99', /play\/1 is the first/],
    ['radio/9000000000000001/pause/1', /play\/1 is the first/],
    ['radios/x1', /the first is \/frontiersmart\/radios/],
    ['nothing', /ask for \/frontiersmart\/radios/],
    ['', /ask for \/frontiersmart\/radios/],
  ] as const) {
    const said = await sendRaw(httpPort, `GET /frontiersmart/${path} HTTP/1.0\r\nHost: x\r\n\r\n`);
    assert.match(said, /^HTTP\/1\.1 404 /, path);
    assert.match(said, reason);
  }
});
