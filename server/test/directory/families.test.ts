import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { PartnerRow } from '../../src/core/accounts/partners/partners.ts';
import { addPartner } from '../../src/core/accounts/partners/partners.ts';
import { type Directory, openDirectory } from '../../src/core/directory/directory.ts';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { CallerPlaces } from '../../src/core/places/caller-places.ts';
import { importStations } from '../../src/import/pipeline/import-stations.ts';
import { createLog } from '../../src/lib/log.ts';
import { browseEndpoints } from '../../src/protocols/radiotime/browse/browse.ts';
import { search } from '../../src/protocols/radiotime/search/search.ts';
import { seededDatabase, type TestDatabase } from '../database/database.ts';
import { testApp } from '../apps/http-server.ts';
import { type Said, sourceItems } from '../content/station-records.ts';

const FOLK = 'g1310';
const PARADISE = { homepage: 'http://quayparadise.net/', tags: ['folk'], countryCode: 'US' };
const BBC = { homepage: 'http://www.bbc.co.uk/', tags: ['news'], countryCode: 'GB' };

/** A network of channels, a broadcaster of stations, a station with an edition and one with a copy. */
const RECORDS: Said[] = [
  {
    record: 'main',
    name: 'Quay Paradise Main Mix 192k MP3',
    codec: 'MP3',
    votes: 900,
    clicks: 90,
    ...PARADISE,
  },
  { record: 'mellow', name: 'Quay Paradise Mellow Mix', codec: 'AAC', votes: 500, ...PARADISE },
  { record: 'rock', name: 'Quay Paradise Rock Mix', codec: 'MP3', votes: 300, ...PARADISE },
  { record: 'global', name: 'Quay Paradise Global Mix', codec: 'MP3', votes: 100, ...PARADISE },
  { record: 'r1', name: 'BBC Radio 1', codec: 'MP3', votes: 80, ...BBC },
  { record: 'r2', name: 'BBC Radio 2', codec: 'MP3', votes: 70, ...BBC },
  { record: 'r4', name: 'BBC Radio 4', codec: 'MP3', votes: 60, ...BBC },
  { record: 'band', name: 'Radio Ballena', codec: 'MP3', votes: 50, countryCode: 'ES' },
  {
    record: 'bandm',
    name: 'Radio Ballena Madrid',
    codec: 'MP3',
    votes: 5,
    countryCode: 'ES',
    city: 'Madrid',
  },
  { record: 'copy', name: 'Ballena FM', codec: 'AAC', votes: 2, countryCode: 'ES' },
];

let database: TestDatabase;
let directory: Directory;
let service: ReturnType<typeof testApp>;
let address: string;
before(async () => {
  database = await seededDatabase();
  const { pool, url } = database;
  await importStations({ pool, source: 'test', items: sourceItems(RECORDS) });
  directory = await openDirectory({ pool, databaseUrl: url, log: createLog({ level: 'silent' }) });
  const shared = { directory, db: pool, aliases: new Aliases(pool), places: new CallerPlaces(pool) };
  const added = (await addPartner(pool, { id: 'pairs', name: 'Two lines a page' })) ?? assert.fail();
  const pairs: PartnerRow = { ...added, stations_per_group: 2 };
  service = testApp([...browseEndpoints(shared), search(shared)], {
    findPartner: (id) => (id === 'pairs' ? pairs : undefined),
  });
  address = await service.app.listen({ port: 0, host: '127.0.0.1' });
});
after(async () => {
  await service.app.close();
  await directory[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

interface Line {
  type?: string | undefined;
  text: string;
  guide_id?: string | undefined;
  URL?: string | undefined;
  key?: string | undefined;
  children?: Line[];
}

/** Links name the host that radios know. */
function addressOf(link: string): URL {
  const { pathname, search: query } = new URL(link, address);
  return new URL(`${pathname}${query}`, address);
}

/** Over a socket, as XML: the order of its lines is that of the list. */
async function lines(path: string): Promise<Line[]> {
  const answer = await fetch(addressOf(path));
  const body = await answer.text();
  assert.match(body, /<status>200<\/status>/, body);
  return [...body.matchAll(/<outline ([^>]*?)\/?>/g)].map(([, attributes = '']) => {
    const valueOf = (name: string): string | undefined =>
      new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1]?.replaceAll('&amp;', '&');
    return {
      type: valueOf('type'),
      text: valueOf('text') ?? '',
      guide_id: valueOf('guide_id'),
      URL: valueOf('URL'),
      key: valueOf('key'),
    };
  });
}

async function json(path: string): Promise<Line[]> {
  const answer = await fetch(addressOf(`${path}&render=json`));
  const { body }: { body: Line[] } = JSON.parse(await answer.text());
  return body.flatMap(({ children, ...line }) => (children ? children : [line]));
}

const texts = (list: readonly Line[]): string[] => list.map(({ text }) => text);
const stationsIn = (list: readonly Line[]): Line[] => list.filter(({ type }) => type === 'audio');
const isParadise = ({ text }: Line): boolean => text.startsWith('Quay Paradise');

const LISTS = [
  `/Browse.ashx?id=${FOLK}`,
  `/Browse.ashx?id=${FOLK}&filter=s`,
  `/Browse.ashx?id=${FOLK}&filter=s:topvoted`,
  '/Browse.ashx?c=popular',
  '/Browse.ashx?c=trending',
  '/Search.ashx?query=quay%20paradise',
];
for (const path of LISTS)
  for (const [format, ask] of Object.entries({ xml: lines, json }))
    test(`${path} as ${format}: a family is one line, and the link to its network is right behind it`, async () => {
      const list = await ask(path);
      assert.deepEqual(texts(stationsIn(list).filter(isParadise)), [
        'Quay Paradise Main Mix (United States)',
      ]);
      const at = list.findIndex(isParadise);
      const { type, text, guide_id: id = '', URL: url = '' } = list[at + 1] ?? assert.fail();
      assert.deepEqual([type, text], ['link', 'More from Quay Paradise']);
      assert.match(id, /^a\d+$/);
      const rest = await lines(url);
      assert.equal(stationsIn(rest).filter(isParadise).length, 4);
    });

test('the name of a record is shown without the quality of its stream', async () => {
  const [first] = await lines('/Search.ashx?query=quay%20paradise%20main');
  assert.equal(first?.text, 'Quay Paradise Main Mix (United States)');
});

test('who asks for a channel by its name gets that channel first, with the others one link further', async () => {
  for (const [query, name] of [
    ['quay paradise rock', 'Rock'],
    ['quay paradise global mix', 'Global'],
    ['paradise mellow', 'Mellow'],
  ] as const) {
    const [first] = await json(`/Search.ashx?query=${encodeURIComponent(query)}`);
    assert.equal(first?.text, `Quay Paradise ${name} Mix (United States)`);
  }
});

test('stations that people know by their own names are each a line', async () => {
  const found = await lines('/Search.ashx?query=bbc%20radio');
  const names = texts(stationsIn(found)).map((text) => text.replace(/ \(.*/, ''));
  assert.deepEqual(names.filter((name) => name.startsWith('BBC')).toSorted(), [
    'BBC Radio 1',
    'BBC Radio 2',
    'BBC Radio 4',
  ]);
  assert.deepEqual(
    found.filter(({ type }) => type === 'link'),
    [],
  );
  assert.match((await lines('/Search.ashx?query=bbc%20radio%204'))[0]?.text ?? '', /^BBC Radio 4/);
});

test('a caller that cannot play the main channel is given one that it can, and no link where that is all', async () => {
  for (const path of [
    `/Browse.ashx?id=${FOLK}&filter=s`,
    '/Browse.ashx?c=popular',
    '/Search.ashx?query=quay%20paradise',
  ]) {
    const list = await lines(`${path}&formats=aac`);
    const shown = stationsIn(list).filter((line) => isParadise(line) && line.key !== 'unavailable');
    assert.equal(shown[0]?.text, 'Quay Paradise Mellow Mix (United States)', path);
    assert.ok(!texts(list).includes('More from Quay Paradise'), path);
  }
});

test('pages go on behind a family: each line once, and the link on the page of its line', async () => {
  for (const start of [`/Browse.ashx?id=${FOLK}&filter=s`, '/Browse.ashx?c=popular']) {
    const listed: string[] = [];
    const links: string[] = [];
    let next: string | undefined = `${start}&partnerId=pairs`;
    let pages = 0;
    while (next !== undefined) {
      const page: Line[] = await lines(next);
      const here = stationsIn(page);
      assert.ok(here.length <= 2, next);
      listed.push(...here.map(({ guide_id: id = '' }) => id));
      for (const [at, line] of page.entries())
        if (line.guide_id?.startsWith('a') === true) links.push(page[at - 1]?.text ?? '');
      next = page.find(({ key }) => key === 'nextStations')?.URL;
      pages += 1;
    }
    assert.equal(new Set(listed).size, listed.length);
    assert.ok(pages > 3, start);
    assert.deepEqual(links, ['Quay Paradise Main Mix (United States)'], start);
    const whole = stationsIn(await lines(`${start}&offset=0`));
    assert.deepEqual(listed.slice(0, 50), whole.map(({ guide_id: id }) => id).slice(0, 50));
  }
});

test('a filter goes along, and who looks for a letter finds every channel', async () => {
  const list = await lines(`/Browse.ashx?id=${FOLK}&filter=s:bit64*`);
  const link = list.find(({ text }) => text === 'More from Quay Paradise') ?? assert.fail();
  assert.match(link.URL ?? '', /filter=bit64\*/);
  assert.equal(stationsIn(await lines(link.URL ?? '')).length, 4);
  const byLetter = await lines(`/Browse.ashx?id=${FOLK}&filter=s:~Q`);
  assert.equal(stationsIn(byLetter).filter(isParadise).length, 4);
});

test('the link is in the words of the caller', async () => {
  for (const [locale, text] of [
    ['de', 'Mehr von Quay Paradise'],
    ['ja', 'Quay Paradiseのほかの局'],
    ['tr', 'Diğer Quay Paradise kanalları'],
  ] as const) {
    for (const path of ['/Browse.ashx?c=popular', '/Search.ashx?query=quay%20paradise'])
      assert.ok(texts(await lines(`${path}&locale=${locale}`)).includes(text), `${path} ${locale}`);
  }
});

test('near home an edition and a copy are the station itself; in a search the edition is a line', async () => {
  const local = texts(stationsIn(await lines('/Browse.ashx?c=local&latlon=40.42,-3.70')));
  assert.equal(local.filter((text) => text.includes('Ballena')).length, 1, local.join('; '));
  const found = texts(stationsIn(await lines('/Search.ashx?query=radio%20ballena')));
  assert.deepEqual(
    found
      .filter((text) => text.includes('Ballena'))
      .map((text) => text.replace(/ \(.*/, ''))
      .toSorted(),
    ['Radio Ballena', 'Radio Ballena Madrid'],
  );
});
