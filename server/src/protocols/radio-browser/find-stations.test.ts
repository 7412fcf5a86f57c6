import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type ApiRecord, namesOf, radioBrowserApp } from '../../../test/apps/radio-browser-app.ts';
import { seededDirectory } from '../../../test/content/seeded-directory.ts';

const seeded = await seededDirectory();
after(() => seeded[Symbol.asyncDispose]());
const { list, app } = radioBrowserApp(seeded);
after(() => app.close());

const votesOf = (records: readonly ApiRecord[]): number[] => records.map(({ votes }) => Number(votes));

const SEARCHES: readonly [query: string, has: string, hasNot: string][] = [
  ['name=HARBOUR', 'Harbour Folk', 'Elbwelle'],
  ['name=harbour%20folk&nameExact=true', 'Harbour Folk', 'Harbour City Talk'],
  ['country=germ', 'Elbwelle', 'Harbour Folk'],
  ['country=germany&countryExact=true', 'Elbwelle', 'Harbour Folk'],
  ['countrycode=de', 'Elbwelle', 'Harbour Folk'],
  ['language=germ', 'Elbwelle', 'Harbour Folk'],
  ['language=german&languageExact=true', 'Elbwelle', 'Harbour Folk'],
  ['tag=jaz', 'Lantern Jazz', 'Elbwelle'],
  ['tag=jazz&tagExact=true', 'Lantern Jazz', 'Elbwelle'],
  ['tagList=jazz,soul', 'Highveld Jazz', 'Lantern Jazz'],
  ['codec=mp3', 'Harbour Folk', 'Isar Klassik'],
  ['codec=flac', 'Isar Klassik', 'Harbour Folk'],
  ['bitrateMin=300', 'Kiezfunk 24', 'Harbour Folk'],
  ['bitrateMax=100', 'Town FM 97.9', 'Kiezfunk 24'],
  ['is_https=false', 'Harbour Folk', 'nothing'],
  ['has_geo_info=true', 'Harbour Folk', 'nothing'],
  ['geo_lat=53.5&geo_long=10&geo_distance=100000', 'Elbwelle', 'Kiezfunk 24'],
  ['has_extended_info=false', 'Harbour Folk', 'nothing'],
  ['hidebroken=true&search=ignored', 'Harbour Folk', 'nothing'],
];
for (const [query, has, hasNot] of SEARCHES)
  test(`stations/search?${query}`, async () => {
    const names = namesOf(await list(`/json/stations/search?${query}`));
    assert.ok(names.includes(has), `${has} is missing`);
    assert.ok(!names.includes(hasNot), `${hasNot} is there`);
  });

for (const query of ['is_https=true', 'has_extended_info=true', 'geo_lat=1&geo_long=1&geo_distance=1'])
  test(`stations/search?${query} finds none of these`, async () => {
    assert.deepEqual(await list(`/json/stations/search?${query}`), []);
  });

const WAYS: readonly [path: string, has: string, hasNot: string][] = [
  ['byname/harbour', 'Harbour City Talk', 'Elbwelle'],
  ['BYNAME/HARBOUR', 'Harbour City Talk', 'Elbwelle'],
  ['byname/радио маяк', 'Радио Маяк Севера', 'Радио Витоша Изток'],
  [`byname/${encodeURIComponent('月下')}`, '月下ラジオ', 'Harbour Folk'],
  ['byname/skargards', 'Skärgårdsradion', 'Fjordradio'],
  ['bynameexact/Harbour Folk', 'Harbour Folk', 'Harbour City Talk'],
  ['bycodec/mp', 'Harbour Folk', 'Isar Klassik'],
  ['bycodecexact/MP3', 'Harbour Folk', 'Isar Klassik'],
  ['bycountry/irel', 'Harbour Folk', 'Elbwelle'],
  ['bycountryexact/Ireland', 'Harbour Folk', 'Elbwelle'],
  ['bycountrycodeexact/ie', 'Harbour Folk', 'Elbwelle'],
  ['bylanguage/engl', 'Harbour Folk', 'Elbwelle'],
  ['bylanguageexact/english', 'Harbour Folk', 'Elbwelle'],
  ['bytag/jaz', 'Lantern Jazz', 'Elbwelle'],
  ['bytagexact/jazz', 'Lantern Jazz', 'Elbwelle'],
  ['topclick/3', 'Lantern Jazz', 'Radio Altiplano'],
  ['topvote/3', 'Lantern Jazz', 'Radio Altiplano'],
  ['lastclick/3', 'Lantern Jazz', 'Radio Altiplano'],
  [
    `byurl?url=${encodeURIComponent('http://stream.example.net/elbwelle-192.mp3')}`,
    'Elbwelle',
    'Harbour Folk',
  ],
  ['byurl?url=http://stream.example.net/elbwelle-192.mp3', 'Elbwelle', 'Harbour Folk'],
];
for (const [path, has, hasNot] of WAYS)
  test(`stations/${path}`, async () => {
    const names = namesOf(await list(`/json/stations/${path.replaceAll(/[^!-~]/gu, encodeURIComponent)}`));
    assert.ok(names.includes(has), `${has} is missing`);
    assert.ok(!names.includes(hasNot), `${hasNot} is there`);
  });

test('a name is found whether its slash is escaped or not, and signs alone are looked for as they are', async () => {
  assert.deepEqual(await list('/json/stations/byname/AC%2FDC'), await list('/json/stations/byname/AC/DC'));
  assert.deepEqual(await list('/json/stations/byname/%F0%9F%93%BB'), []);
  assert.deepEqual(await list('/json/stations/bytag/%F0%9F%93%BB'), []);
  assert.deepEqual(await list('/json/stations/bytagexact/'), []);
});

test('stations come in the order, the direction and the page that were asked for', async () => {
  const all = await list('/json/stations');
  const names = namesOf(all).map((name) => String(name));
  assert.equal(all.length, seeded.directory.current().stations.length);
  const byVotes = await list('/json/stations?order=votes&reverse=true');
  assert.deepEqual(
    votesOf(byVotes),
    votesOf(byVotes).toSorted((a, b) => b - a),
  );
  assert.deepEqual(
    await list('/json/stations?order=votes&reverse=true&offset=3&limit=4'),
    byVotes.slice(3, 7),
  );
  assert.deepEqual(namesOf(await list('/json/stations?order=click')), names, 'an unknown order is by name');
  const random = namesOf(await list('/json/stations?order=random'));
  assert.deepEqual(random.map(String).toSorted(), names.toSorted());
  for (const order of [
    'url',
    'homepage',
    'favicon',
    'tags',
    'country',
    'state',
    'language',
    'codec',
    'clickcount',
    'clicktrend',
    'bitrate',
    'lastcheckok',
    'lastchecktime',
    'changetimestamp',
    'clicktimestamp',
    'geo_distance',
    'constructor',
  ])
    assert.equal(
      (await list(`/json/stations?order=${order}&geo_lat=1&geo_long=1`)).length,
      all.length,
      order,
    );
  assert.deepEqual(await list('/json/stations?limit=0'), []);
  assert.deepEqual(await list('/json/stations/topvote/many'), [], 'no number is 0');
  assert.deepEqual(namesOf(await list('/json/stations/topvote/2?limit=5')), namesOf(byVotes.slice(0, 2)));
});

test('lists count what asking for their rows gives, page, and turn round', async () => {
  const ways: readonly [listed: string, way: string][] = [
    ['tags', 'bytagexact'],
    ['countries', 'bycountryexact'],
    ['countrycodes', 'bycountrycodeexact'],
    ['languages', 'bylanguageexact'],
    ['codecs', 'bycodecexact'],
    ['states', 'bystateexact'],
  ];
  for (const [listed, way] of ways) {
    const rows = await list(`/json/${listed}?order=stationcount&reverse=true`);
    for (const { name, stationcount } of rows.slice(0, 3))
      assert.equal(
        (await list(`/json/stations/${way}/${encodeURIComponent(String(name))}`)).length,
        stationcount,
        `${listed} ${name}`,
      );
    const counts = rows.map(({ stationcount }) => Number(stationcount));
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => b - a),
    );
    assert.deepEqual(
      await list(`/json/${listed}?order=stationcount&reverse=true&offset=1&limit=2`),
      rows.slice(1, 3),
    );
  }
  assert.deepEqual(namesOf(await list('/json/tags/JAZZ')).includes('jazz'), true);
  assert.deepEqual(namesOf(await list('/json/countrycodes/i')).includes('IE'), true);
  const bavaria = (await list('/json/states/Germany/')).map(({ country }) => country);
  assert.deepEqual(new Set(bavaria), new Set(['Germany']));
  const [hamburg] = await list('/json/states/germany/hambu');
  assert.deepEqual([hamburg?.['name'], hamburg?.['country']], ['Hamburg', 'Germany']);
});

test('hidebroken leaves out what was silent when last listened to, of stations and of what lists count', async () => {
  const snapshot = seeded.directory.current();
  const stations = snapshot.stations.map((station) =>
    station.name === 'Harbour Folk'
      ? { ...station, streams: station.streams.map((stream) => ({ ...stream, verdict: 'dead' as const })) }
      : station,
  );
  const directory = { ...seeded.directory, current: () => ({ ...snapshot, stations }) };
  const half = radioBrowserApp({ directory, database: seeded.database });
  const uuid = (await list('/json/stations/byname/harbour%20folk'))[0]?.['stationuuid'];
  after(() => half.app.close());
  const hidden = '?hidebroken=true';
  assert.deepEqual(namesOf(await half.list('/json/stations/broken')), ['Harbour Folk']);
  assert.equal((await half.list(`/json/stations${hidden}`)).length, stations.length - 1);
  for (const path of [
    'stations/byname/harbour%20folk',
    `stations/byuuid/${uuid}`,
    'stations/search?name=harbour%20folk',
  ]) {
    const [station] = await half.list(`/json/${path}`);
    assert.equal(station?.['lastcheckok'], 0);
    assert.deepEqual(await half.list(`/json/${path}${path.includes('?') ? '&' : '?'}hidebroken=true`), []);
  }
  for (const path of ['countries/ireland', 'countrycodes/ie', 'states/Ireland/']) {
    assert.equal((await half.list(`/json/${path}`)).length, 1, path);
    assert.deepEqual(await half.list(`/json/${path}${hidden}`), [], path);
  }
  const count = async (url: string): Promise<number> => Number((await half.list(url))[0]?.['stationcount']);
  for (const path of ['languages/english', 'tags/folk%20%26', 'codecs/mp3'])
    assert.equal(await count(`/json/${path}${hidden}`), (await count(`/json/${path}`)) - 1, path);
  const { body } = await half.ask(`/json/url/${uuid}`);
  assert.equal(JSON.parse(body).ok, false);
  assert.equal(JSON.parse((await half.ask('/json/stats')).body).stations_broken, 1);
});
