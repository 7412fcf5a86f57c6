import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { namesOf, radioBrowserApp } from '../../../test/apps/radio-browser-app.ts';
import { seededDirectory } from '../../../test/content/seeded-directory.ts';
import { buildSnapshot } from '../../core/directory/snapshot/build-snapshot.ts';
import { importStations } from '../../import/pipeline/import-stations.ts';
import { readRadioBrowser } from '../../import/sources/radio-browser/record.ts';
import { STATION_FIELDS, uuidV5 } from './station-record.ts';

const seeded = await seededDirectory();
after(() => seeded[Symbol.asyncDispose]());
const { pool } = seeded.database;
const idOf = (name: string): number =>
  seeded.directory.current().stations.find((station) => station.name === name)?.id ?? assert.fail(name);
/** Two records of radio-browser that were merged into one station. */
const [FIRST, SECOND] = ['11111111-0000-4000-8000-000000000001', '22222222-0000-4000-8000-000000000002'];
await pool.query(
  `INSERT INTO aliases VALUES ('radio-browser', $1, 's', $3), ('radio-browser', $2, 's', $3)`,
  [FIRST, SECOND, idOf('Harbour Folk')],
);
const { ask, list, app } = radioBrowserApp(seeded);
after(() => app.close());

test('a station has every field, of the type that strict clients want', async () => {
  const [station = {}] = await list('/json/stations/bynameexact/harbour%20folk');
  assert.deepEqual(Object.keys(station), STATION_FIELDS);
  const numbers = ['votes', 'bitrate', 'hls', 'lastcheckok', 'clickcount', 'clicktrend', 'ssl_error'];
  for (const field of numbers) assert.equal(typeof station[field], 'number', field);
  for (const field of STATION_FIELDS.filter((name) => /languagecodes|time|url|name|tags/.test(name)))
    assert.equal(typeof station[field], 'string', field);
  assert.match(String(station['lastchangetime_iso8601']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.deepEqual(
    ['stationuuid', 'countrycode', 'country', 'language', 'languagecodes', 'codec', 'bitrate'].map(
      (field) => station[field],
    ),
    [FIRST, 'IE', 'Ireland', 'english', 'en', 'MP3', 128],
  );
  assert.equal(station['has_extended_info'], false);
});

test('a station answers to every UUID of its records, and by the one it was asked for', async () => {
  const found = await list(
    `/json/stations/byuuid?uuids=${SECOND},${FIRST.replaceAll('-', '').toUpperCase()},x`,
  );
  assert.deepEqual(
    found.map(({ stationuuid }) => stationuuid),
    [SECOND, FIRST],
  );
  assert.deepEqual(new Set(namesOf(found)), new Set(['Harbour Folk']));
});

test('a station without a record has a UUID of version 5 that is always the same and leads back to it', async () => {
  const [jazz = {}] = await list('/json/stations/byname/lantern');
  const uuid = String(jazz['stationuuid']);
  assert.match(uuid, /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  assert.equal(uuid, uuidV5(`s${idOf('Lantern Jazz')}`));
  // Apps keep it: a change of the namespace would lose every favourite.
  assert.equal(uuidV5('s3'), '7bde2385-927e-512a-b1bb-0547f9ee4c20');
  const [again = {}] = await list(`/json/stations/byuuid/${uuid}`);
  assert.deepEqual([again['name'], again['stationuuid']], [jazz['name'], uuid]);
});

test('search takes its parameters from the address, a form and JSON, by GET and by POST', async () => {
  const url = '/json/stations/search';
  const form = 'tagList=jazz&countrycode=us&limit=5&order=votes&reverse=true';
  const { body: query } = await ask(`${url}?${form}`);
  assert.match(query, /Lantern Jazz/);
  const post = async (payload: string | undefined, type?: string, target = url): Promise<string> => {
    const headers = type === undefined ? {} : { 'content-type': type };
    return (
      await ask({ method: 'POST', url: target, headers, ...(payload === undefined ? {} : { payload }) })
    ).body;
  };
  assert.equal(await post(form, 'application/x-www-form-urlencoded'), query);
  const json = { tagList: ['jazz'], countrycode: 'us', limit: 5, order: 'votes', reverse: true };
  assert.equal(await post(JSON.stringify(json), 'application/json; charset=utf-8'), query);
  assert.equal(
    await post(undefined, undefined, `${url}?${form}`),
    query,
    'everything in the address, no body',
  );
  assert.equal(
    await post(
      'TAGLIST=jazz&CountryCode=US&limit=5&order=votes&reverse=true',
      'application/x-www-form-urlencoded',
    ),
    query,
    'names of any case',
  );
  assert.equal(
    await post(
      'limit=5',
      'application/x-www-form-urlencoded',
      `${url}?${form.replace('limit=5', 'limit=1')}`,
    ),
    query,
    'the body wins',
  );
});

const FORMS: readonly [path: string, contentType: string, text: RegExp][] = [
  ['/json/stations/byuuid/ID', 'application/json', /^\[\{"changeuuid":/],
  [
    '/xml/stations/byuuid/ID',
    'text/xml',
    /^<result><station changeuuid="[^"]+" stationuuid="1111[^>]*\/><\/result>$/,
  ],
  [
    '/csv/stations/byuuid/ID',
    'text/csv; charset=utf-8',
    /^changeuuid,stationuuid,serveruuid,name,url,[^]*Harbour Folk/,
  ],
  ['/csv/stations/bytagexact/none', 'text/csv; charset=utf-8', /^changeuuid,[^\n]*,has_extended_info\r\n$/],
  ['/csv/tags/none', 'text/csv; charset=utf-8', /^name,stationcount\r\n$/],
  [
    '/m3u/stations/byuuid/ID',
    'audio/mpegurl',
    /^#EXTM3U\r\n#RADIOBROWSERUUID:1111.*\r\n#EXTINF:1,Harbour Folk\r\nhttp\S*\r\n\r\n$/,
  ],
  [
    '/pls/stations/byuuid/ID',
    'audio/x-scpls',
    /^\[playlist\]\r\nNumberOfEntries=1\r\nTitle1=Harbour Folk\r\nFile1=http\S*\r\n\r\n$/,
  ],
  [
    '/xspf/stations/byuuid/ID',
    'application/xspf+xml',
    /<title>Harbour Folk<\/title><location>http[^]*<identifier>radiobrowser:1111/,
  ],
  [
    '/xml/countries/ireland',
    'text/xml',
    /^<result><language name="Ireland" iso_3166_1="IE" stationcount="1"\/><\/result>$/,
  ],
  ['/xml/tags/jazz', 'text/xml', /<tag name="jazz" stationcount="\d+"\/>/],
  ['/csv/codecs/flac', 'text/csv; charset=utf-8', /^name,stationcount\r\nFLAC,1\r\n$/],
  ['/xml/stats', 'text/xml', /^<result><stats supported_version="1" [^>]*stations="\d+"/],
  ['/json/stats', 'application/json', /^\{"supported_version":1,.*"status":"OK","stations":\d+/],
  ['/json/servers', 'application/json', /^\[\{"ip":"","name":"radio.test"\}\]$/],
  ['/json/config', 'application/json', /^\{/],
  ['/json/checks/ID', 'application/json', /^\[\{"stationuuid":"1111.*"urlcache":"http/],
  ['/json/checks', 'application/json', /^\[\]$/],
  ['/json/clicks', 'application/json', /^\[\]$/],
  ['/json/checksteps?uuids=ID', 'application/json', /^\[\]$/],
  ['/json/streamingservers', 'application/json', /^\[\]$/],
  ['/json/stations/changed', 'application/json', /^\[\]$/],
  ['/json/stations/broken/5', 'application/json', /^\[\]$/],
  ['/json/add?name=x&url=http://x/', 'application/json', /^\{"ok":false,"message":"adding is closed/],
  ['/xml/url/ID', 'text/xml', /^<result><status ok="true" message="retrieved station url" stationuuid="1111/],
  [
    '/v2/json/url/ID',
    'application/json',
    /^\{"ok":true,"message":"retrieved station url","stationuuid":"1111/,
  ],
  ['/m3u/url/ID', 'audio/mpegurl', /harbourfolk-128\.mp3/],
  ['/pls/url/ID', 'audio/x-scpls', /harbourfolk-128\.mp3/],
  ['/XML/Stations/ByUuid/ID', 'text/xml', /stationuuid="1111/],
];
for (const [path, contentType, text] of FORMS)
  test(`${path} is ${contentType}`, async () => {
    const { statusCode, headers, body } = await ask(path.replace('ID', FIRST));
    assert.equal(statusCode, 200, body);
    assert.equal(headers['content-type'], contentType);
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.match(body, text);
  });

const REFUSED: readonly [path: string, status: number][] = [
  ['/json/nothing', 404],
  ['/json/', 404],
  ['/json/stations/bynothing/x', 404],
  ['/json/url/33333333-0000-4000-8000-000000000003', 404],
  ['/json/vote/none', 404],
  ['/m3u/tags', 406],
  ['/pls/stats', 406],
];
for (const [path, status] of REFUSED)
  test(`${path} is ${status}, said in the form of the API`, async () => {
    const { statusCode, body } = await ask(path);
    assert.equal(statusCode, status, body);
    if (path.startsWith('/json')) assert.equal(JSON.parse(body).ok, false);
  });

test('OPTIONS is answered with leave for pages of any site', async () => {
  const { statusCode, headers, body } = await ask({ method: 'OPTIONS', url: '/json/stations' });
  assert.deepEqual([statusCode, body], [204, '']);
  assert.equal(headers['access-control-allow-origin'], '*');
  assert.match(String(headers['access-control-allow-methods']), /POST/);
});

test('a station from radio-browser keeps its UUID, and one that is not listed has none', async () => {
  const id = '9612a1f5-0601-11e8-ae97-52543be04c81';
  const record = {
    stationuuid: id,
    name: 'Radio Río Negro',
    url: 'http://stream.example.net/rio.mp3',
    countrycode: 'AR',
    geo_lat: -40.8,
    geo_long: -63,
  };
  const items = readRadioBrowser(Readable.from([Buffer.from(`${JSON.stringify(record)}\n`)]));
  await importStations({ pool, source: 'radio-browser', items });
  const withOne = async () => {
    const snapshot = await buildSnapshot(pool);
    return radioBrowserApp({
      directory: { ...seeded.directory, current: () => snapshot },
      database: seeded.database,
    });
  };
  const listed = await withOne();
  const [station] = await listed.list('/json/stations/byname/rio%20negro');
  assert.deepEqual([station?.['stationuuid'], station?.['geo_lat']], [id, -40.8]);
  assert.equal(namesOf(await listed.list(`/json/stations/byuuid/${id}`))[0], 'Radio Río Negro');
  const { body } = await listed.ask(`/csv/stations/byuuid/${id}`);
  assert.match(body, /,-40\.8,-63,false\r\n$/);
  await listed.app.close();
  await pool.query('UPDATE stations SET listed = false WHERE name = $1', ['Radio Río Negro']);
  const unlisted = await withOne();
  assert.deepEqual(await unlisted.list(`/json/stations/byuuid/${id}`), []);
  for (const command of ['url', 'vote'])
    assert.equal((await unlisted.ask(`/json/${command}/${id}`)).statusCode, 404);
  await unlisted.app.close();
});
