import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { testApp } from '../../../../test/apps/http-server.ts';
import { type SeededDirectory, seededDirectory } from '../../../../test/content/seeded-directory.ts';
import { en } from '../../../core/i18n/en.ts';
import { CallerPlaces } from '../../../core/places/caller-places.ts';
import { albumArt, configEndpoint } from './config-endpoint.ts';
import { ManualClock } from '../../../../test/time/manual-clock.ts';

const clock = new ManualClock('2026-07-15T08:35:00.900Z');
const TOKYO = { coordinate: { latitude: 35.7, longitude: 139.7 }, precise: true };
const placeOfAddress = (ip: string) => (ip === '133.11.0.1' ? TOKYO : undefined);

const homePlace = () => ({ latitude: 51.9, longitude: -8.47 });

let seeded: SeededDirectory;
let app: FastifyInstance;
before(async () => {
  seeded = await seededDirectory();
  const { database, directory } = seeded;
  const places = new CallerPlaces(database.pool, { homePlace, placeOfAddress });
  const endpoints = [configEndpoint({ directory, places }), albumArt()];
  app = testApp(endpoints, { clock }).app;
});
after(async () => {
  await app.close();
  await seeded[Symbol.asyncDispose]();
});

const get = async (url: string, headers: Record<string, string> = {}): Promise<string> => {
  const { body, statusCode } = await app.inject({ url, headers: { host: 'radio.test', ...headers } });
  assert.equal(statusCode, 200);
  return body;
};

const GOLDEN = {
  time: '/Config.ashx?c=time&latlon=52.5,13.4',
  samples: '/Config.ashx?c=streamSampleQuery&partnerId=demo',
  api: '/Config.ashx?c=API',
  'unknown-part': '/Config.ashx?c=constructor',
  'no-part': '/Config.ashx',
};
const golden = (file: string): string => join(import.meta.dirname, 'golden', file);
for (const [name, url] of Object.entries(GOLDEN)) {
  test(`${url} answers ${name}`, async (t) => {
    t.assert.fileSnapshot(await get(url), golden(`${name}.opml`), { serializers: [String] });
    const json = await get(`${url}${url.includes('?') ? '&' : '?'}render=json`);
    t.assert.fileSnapshot(`${JSON.stringify(JSON.parse(json), undefined, 1)}\n`, golden(`${name}.json`), {
      serializers: [String],
    });
  });
}

const detected = async (query: string, headers?: Record<string, string>): Promise<string[]> => {
  const body = await get(`/Config.ashx?c=time${query}`, headers);
  return ['detected_time', 'detected_tz', 'detected_offset'].map(
    (name) => new RegExp(` ${name}="([^"]*)"`).exec(body)?.[1] ?? 'missing',
  );
};

test('the zone is that of the coordinate, of the address, of the house, in this order', async () => {
  const utc = 1_784_104_500;
  assert.equal(Math.floor(clock.now().epochMilliseconds / 1000), utc);
  const far = { 'x-forwarded-for': '133.11.0.1' };
  assert.deepEqual(await detected('&latlon=52.5,13.4', far), [
    `${utc + 7200}`,
    'Central European Time',
    '120',
  ]);
  assert.deepEqual(await detected('', far), [`${utc + 32400}`, 'Japan Standard Time', '540']);
  assert.deepEqual(await detected(''), [`${utc + 3600}`, 'Ireland Time', '60']);
  assert.deepEqual((await detected('&latlon=52.5,13.4&locale=de'))[1], 'Mitteleuropäische Zeit');
});

test('texts are those of the menus, in the language of the caller', async () => {
  const body = await get('/Config.ashx?c=contentQuery');
  assert.equal(
    body.match(/<outline text="content" key="[^"]+" value="[^"]+"\/>/g)?.length,
    Object.keys(en).length,
  );
  assert.match(body, /key="browse\.local" value="Local Radio"/);
  assert.match(await get('/Config.ashx?c=contentquery&locale=de'), /key="browse\.music" value="Musik"/);
});

test('covers are looked up where the api says, and there are none, which is no fault', async () => {
  const { body } = JSON.parse(await get('/Config.ashx?c=api&partnerId=15&serial=x&render=json'));
  assert.equal(body[0]['albumart.url'], 'http://radio.test/logos/');
  const { pathname } = new URL(body[0]['albumart.lookupurl']);
  // As Lyrion asks: nothing of the song is escaped but its spaces.
  const answer = await get(`${pathname}?partnerId=15&serial=x&artist=Simon%20&%20Garfunkel&title=Cecilia`);
  assert.match(answer, /<status>200<\/status>[^]*<outline text="albumart"\/>/);
  const { headers } = await app.inject({ url: pathname, headers: { host: 'radio.test' } });
  assert.equal(headers['cache-control'], 'private, max-age=86400');
});

test('several parts are a group each, in the order asked; names are of either case', async () => {
  const body = JSON.parse(await get('/Config.ashx?c=Time,contentquery,nonsense,time&render=json')).body;
  assert.deepEqual(
    body.map(({ key, children }: { key: string; children: unknown[] }) => [key, children.length > 0]),
    [
      ['time', true],
      ['strings', true],
    ],
  );
});

test('a sample is a stream that can be tuned, one for each format that is asked for', async () => {
  const body = JSON.parse(
    await get('/Config.ashx?c=streamSampleQuery&formats=wma,aac,real&render=json'),
  ).body;
  assert.deepEqual(body.map(({ media_type: type }: { media_type: string }) => type).toSorted(), [
    'aac',
    'wma',
  ]);
  for (const { URL: url } of body) assert.match(url, /\/Tune\.ashx\?id=e\d+&sid=s\d+/);
});
