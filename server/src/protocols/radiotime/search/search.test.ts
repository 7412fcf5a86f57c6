import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { testApp } from '../../../../test/apps/http-server.ts';
import { seededDirectory, type SeededDirectory } from '../../../../test/content/seeded-directory.ts';
import { addPartner } from '../../../core/accounts/partners/partners.ts';
import { CallerPlaces } from '../../../core/places/caller-places.ts';
import { Aliases } from '../../../core/directory/lookup/by-any-id.ts';
import { search } from './search.ts';
import { ManualClock } from '../../../../test/time/manual-clock.ts';
import { addShow, addTopic } from '../../../../test/database/catalogue/add-show.ts';

let seeded: SeededDirectory;
let app: FastifyInstance;
before(async () => {
  seeded = await seededDirectory();
  const { pool } = seeded.database;
  await addShows();
  await addTides();
  const added = await addPartner(pool, { id: 'small', name: 'Small radios' });
  const small = added && { ...added, shows_per_group: 2 };
  const places = new CallerPlaces(pool);
  app = testApp([search({ directory: seeded.directory, db: pool, aliases: new Aliases(pool), places })], {
    findPartner: (id) => (id === 'small' ? small : undefined),
  }).app;
});
after(async () => {
  await app.close();
  await seeded[Symbol.asyncDispose]();
});

async function addShows(): Promise<void> {
  const { pool } = seeded.database;
  const showId = await addShow(pool, {
    title: 'Lantern Stories',
    hosts: 'Ada Fathom',
    genreId: 1200,
    popularity: 50,
  });
  await addShow(pool, { title: 'The Harbour Hour', description: 'Boats & people.\nEvery week.' });
  assert.ok(showId !== undefined);
  await addTopic(pool, {
    showId,
    key: '00000000-0000-0000-0000-000000000001',
    title: 'The first lamp',
    address: 'http://topics.example/1.mp3',
    publishedAt: Temporal.Instant.from('2026-01-09T12:00:00Z'),
    durationSeconds: 1234,
  });
}

const get = async (url: string): Promise<string> => {
  const { body, statusCode } = await app.inject({ url, headers: { host: 'radio.test' } });
  assert.equal(statusCode, 200);
  return body;
};

async function addTides(): Promise<void> {
  const { pool } = seeded.database;
  const now = Temporal.Instant.from('2026-02-01T00:00:00Z');
  for (const [n, title] of ['The Ebb at Cobh', 'Ebb & Flow', 'Spring Tide'].entries()) {
    const showId = await addShow(pool, { title: `Quay Talk ${n + 1}`, genreId: 2005 });
    assert.ok(showId !== undefined);
    for (const [hours, name] of [[48, 'Long Ago'] as const, [n, title] as const])
      await addTopic(pool, {
        showId,
        key: `00000000-0000-0000-0001-00000000000${hours % 10}`,
        title: name,
        address: 'http://topics.example/2.mp3',
        publishedAt: now.subtract({ hours }),
      });
  }
}

/** Topics of an answer with their shows, in their order. */
const topicsIn = (body: string): string[] =>
  [...body.matchAll(/text="([^"]+)"[^>]* subtext="([^"]*)" item="topic"/g)].map(
    ([, title, show]) => `${title} / ${show}`,
  );

/** Answers as radios get them, one file each. */
const GOLDEN = {
  'name.opml': '/Search.ashx?query=harbour&partnerId=demo',
  'genre-name.opml': '/Search.ashx?query=jazz&filter=s',
  'show.opml': '/Search.ashx?query=lantern&types=show',
  'topics.opml': '/Search.ashx?query=lantern+stories&filter=p:topic',
  'topics-by-their-words.opml': '/Search.ashx?query=ebb&filter=p:topic',
  'unplayable.opml': '/Search.ashx?query=harbour+folk&formats=wma',
  'nothing.opml': '/Search.ashx?query=Xyzzy+%3Cplugh%3E',
  'nothing-in-german.opml': '/Search.ashx?query=xyzzy&locale=de',
  'no-query.opml': '/Search.ashx?partnerId=demo',
  'name.json': '/Search.aspx?query=elbwelle&render=json&formats=mp3',
};
for (const [file, url] of Object.entries(GOLDEN)) {
  test(`${url} answers ${file}`, async (t) => {
    t.assert.fileSnapshot(await get(url), join(import.meta.dirname, 'golden', file), {
      serializers: [String],
    });
  });
}

/** Names of the items at the top level, in order. */
const names = async (query: string): Promise<string[]> => {
  const body = await get(`/Search.ashx?${query}`);
  assert.match(body, /<status>200<\/status>/);
  const [flat = ''] = body.split('key="unavailable"');
  return [
    ...flat.matchAll(/<outline type="(?:audio|link)" text="([^"(]+?)(?: \([^"]*)?" URL="[^"]*Tune/g),
  ].map(([, name = '']) => name);
};

const GENRE_FIRST: [query: string, genre: string | undefined][] = [
  ['query=jazz', 'Jazz'],
  ['query=80s', '1980s'],
  ["query=80's", '1980s'],
  ['query=hip+hop', 'Hip-Hop &amp; Rap'],
  ['query=R%26B', 'R&amp;B &amp; Urban Contemporary'],
  ['query=80er&locale=de', '1980er'],
  // A tag of public stations, and the name of one.
  ['query=bbc', undefined],
];
for (const [query, genre] of GENRE_FIRST) {
  test(`${query} leads to ${genre ?? 'no genre'} first`, async () => {
    const body = await get(`/Search.ashx?${query}`);
    assert.equal(/<outline type="link" text="([^"]+)" URL="[^"]*id=g\d+/.exec(body)?.[1], genre);
  });
}

const NAMED_FIRST: [query: string, name: string][] = [
  ['query=Lantern+Jazz', 'Lantern Jazz'],
  ['query=lanternjazz', 'Lantern Jazz'],
  ['query=LANTERN+jaz', 'Lantern Jazz'],
  ['query=lantrn+jazz', 'Lantern Jazz'],
  ['query=vesuvoi', 'Vesuvio Dance'],
  ['query=alpengluhen', 'Alpenglühen Volksmusik'],
  ['query=alpengl%FChen', 'Alpenglühen Volksmusik'],
  ['query=lantern&jazz', 'Lantern Jazz'],
  ['query=lantern%20&%20jazz', 'Lantern Jazz'],
  ['query=skargardsradion', 'Skärgårdsradion'],
  ['query=bogazici', 'Boğaziçi FM'],
  ['query=радио+маяк', 'Радио Маяк Севера'],
  ['query=ラジオ', '月下ラジオ'],
  ['query=音乐', '长江音乐台'],
  ['query=klwx', 'KLWX 101.3'],
  ['query=klwx+101.3', 'KLWX 101.3'],
  ['query=101,3', 'KLWX 101.3'],
  ['query=dance+napoli', 'Vesuvio Dance'],
  ['query=milonga+nocturna+live+stream', 'Milonga Nocturna'],
  ['query=stream.example.net/elbwelle-64.aac', 'Elbwelle'],
  ['c=stream&query=https://stream.example.net/elbwelle-192.mp3', 'Elbwelle'],
  ['call=klwx', 'KLWX 101.3'],
  ['freq=102.7', 'Onda del Sur 102.7'],
  ['city=Wellington', 'Kererū Community'],
  ['genre=tango', 'Milonga Nocturna'],
  ['name=garrigue&country=France', 'Radio Garrigue'],
  ['query=klwx&call', 'KLWX 101.3'],
  ['hosts=fathom', 'Lantern Stories'],
];
for (const [query, name] of NAMED_FIRST) {
  test(`?${query} finds ${name} first`, async () => assert.equal((await names(query))[0], name));
}

const NOT_NAMED: [query: string, name: string][] = [
  ['city=lantern', 'Lantern Jazz'],
  ['name=tango', 'Milonga Nocturna'],
  ['query=lantern&types=show', 'Lantern Jazz'],
  ['query=lantern&filter=s', 'Lantern Stories'],
  ['hosts=klwx', 'KLWX 101.3'],
  ['name=radio&country=Germany', 'Radio Garrigue'],
  ['query=Radio+Garrigue&country=Germany', 'Radio Garrigue'],
  ['query=Radio+Garigue&country=Germany', 'Radio Garrigue'],
  ['query=stream.example.net/elbwelle-64.aac&types=show', 'Elbwelle'],
];
for (const [query, name] of NOT_NAMED) {
  test(`?${query} does not find ${name}`, async () => assert.ok(!(await names(query)).includes(name)));
}

for (const c of ['song', 'artist', 'song,artist', 'artist,song']) {
  test(`?c=${c} says so when no station is known to play it`, async () => {
    assert.match(await get(`/Search.ashx?c=${c}&query=jazz`), /text="No results for jazz"/);
    assert.match(await get(`/Search.ashx?c=${c}`), /<fault_code>request\.queryInvalid</);
  });
}

test('a guide ID finds what it names, and a uuid of radio-browser what it leads to', async () => {
  const { stations } = seeded.directory.current();
  const station = stations.find(({ name }) => name === 'Elbwelle');
  assert.deepEqual((await names(`query=s${station?.id}`))[0], 'Elbwelle');
  const { pool } = seeded.database;
  const uuid = '11111111-2222-3333-4444-555555555555';
  await pool.query("INSERT INTO aliases VALUES ('radio-browser', $1, 's', $2)", [uuid, station?.id]);
  assert.deepEqual(await names(`query=${uuid}`), ['Elbwelle']);
  const { rows } = await pool.query("SELECT id FROM shows WHERE title = 'Lantern Stories'");
  assert.deepEqual((await names(`query=p${rows[0].id}`))[0], 'Lantern Stories');
  assert.deepEqual(await names('query=s999999999'), []);
  assert.deepEqual(await names(`query=s${station?.id}&types=show`), []);
  assert.deepEqual(await names(`query=p${rows[0].id}&types=station`), []);
  assert.match(
    await get(`/Search.ashx?query=p${rows[0].id}&filter=p:topic`),
    /key="topics"[^]*The first lamp/,
  );
});

test('the country of an account is a country of a search', async () => {
  const { rows } = await seeded.database.pool.query("SELECT id FROM countries WHERE code = 'NZ'");
  for (const asked of ['country=n', 'countryId=n', 'COUNTRYID=N'])
    assert.deepEqual(await names(`${asked}${rows[0].id}`), ['Kererū Community'], asked);
  assert.deepEqual(await names(`name=radio&countryId=n${rows[0].id}`), []);
  const two = await get(`/Search.ashx?country=France&countryId=n${rows[0].id}`);
  assert.match(two, /request\.invalid/);
});

for (const [latlon, name] of [
  ['45.44,12.33', 'Radio Laguna'],
  ['43.61,3.87', 'Radio Garrigue'],
]) {
  test(`at ${latlon} the first radio is ${name}`, async () =>
    assert.equal((await names(`query=radio&latlon=${latlon}`))[0], name));
}

test('a search starts from the place of the account, as local radio does', async () => {
  const { pool } = seeded.database;
  await pool.query(`INSERT INTO accounts (id, username, password_hash, latitude, longitude, readable_by_name)
    VALUES (1, 'Ann', 'not looked at', 45.44, 12.33, true), (2, 'Ben', 'not looked at', 43.61, 3.87, true)`);
  await pool.query("INSERT INTO usernames VALUES ('ann', 1), ('ben', 2)");
  assert.equal((await names('query=radio&username=Ann'))[0], 'Radio Laguna');
  assert.equal((await names('query=radio&username=ben'))[0], 'Radio Garrigue');
  assert.equal((await names('query=radio&username=Ann&latlon=43.61,3.87'))[0], 'Radio Garrigue');
});

test('a station that the caller cannot play is shown as such, or not at all', async () => {
  const wma = await get('/Search.ashx?query=harbour+folk&formats=wma');
  assert.match(wma, /key="unavailable"[^>]*>\n\s*<outline type="audio" text="Harbour Folk/);
  assert.doesNotMatch(
    await get('/Search.ashx?query=harbour+folk&formats=wma&filter=standard'),
    /Harbour Folk \(/,
  );
  assert.doesNotMatch(await get('/Search.ashx?query=harbour+folk&formats=mp3'), /unavailable/);
});

test('a partner who has arranged it finds as many shows as its groups hold', async () => {
  const query = '/Search.ashx?query=quay+talk&types=show';
  const bodies = [await get(query), await get(`${query}&partnerId=small`)];
  assert.deepEqual(
    bodies.map((body) => [...body.matchAll(/ item="show"/g)].length),
    [3, 2],
  );
});

test('when the database is away the caller is told so', async () => {
  const pool = {
    query: () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })),
  };
  const away = testApp([search({ directory: seeded.directory, db: pool, aliases: new Aliases(pool) })]).app;
  const { body, statusCode } = await away.inject({ url: '/Search.ashx?query=harbour' });
  assert.equal(statusCode, 200);
  assert.match(body, /<status>503<\/status>[^]*<fault_code>service\.unavailable</);
  await away.close();
});

test('nothing in a query reaches PostgreSQL as anything but words', async () => {
  for (const query of ["'", "a'b", 'a\\b', ':*', '&|!()<->', "x':*A", 'ﷺ', '\u{1F4FB}', "');--", 'a:b=c']) {
    const body = await get(`/Search.ashx?query=${encodeURIComponent(query)}`);
    assert.match(body, /<status>200<\/status>/, query);
  }
});

test('an unknown classifier is an unknown method', async () => {
  assert.match(await get('/Search.ashx?c=constructor&query=jazz'), /<fault_code>api\.methodNotFound</);
});

test('a topic is found by the words of its own title and of its show’s, while it is the newest there', async () => {
  const found = async (query: string): Promise<string[]> =>
    topicsIn(await get(`/Search.ashx?query=${encodeURIComponent(query)}&filter=p:topic`));
  assert.deepEqual(await found('ebb'), ['The Ebb at Cobh / Quay Talk 1', 'Ebb &amp; Flow / Quay Talk 2']);
  assert.deepEqual(await found('EBB cob'), ['The Ebb at Cobh / Quay Talk 1'], 'the last word unfinished');
  assert.deepEqual(await found('cobh quay'), ['The Ebb at Cobh / Quay Talk 1']);
  assert.deepEqual(await found('long ago'), [], 'not when it is old');
  const both = ['Spring Tide / Quay Talk 3', 'Long Ago / Quay Talk 3'];
  assert.deepEqual(await found('quay talk 3'), both, 'unless its show is found: then its newest, each once');
  assert.deepEqual(topicsIn(await get('/Search.ashx?query=ebb')), [], 'where nobody asked for topics');
});

test('the topics of a show that is withdrawn are not found', async () => {
  const { pool } = seeded.database;
  const showId = await addShow(pool, { title: 'Gone Quiet', genreId: 2005 });
  assert.ok(showId !== undefined);
  await addTopic(pool, {
    showId,
    key: '00000000-0000-0000-0001-000000000099',
    title: 'Zephyrs',
    address: 'http://topics.example/3.mp3',
    publishedAt: Temporal.Instant.from('2026-02-01T00:00:00Z'),
  });
  const { rows } = await pool.query('UPDATE shows SET listed = false WHERE id = $1 RETURNING id', [showId]);
  assert.equal(rows.length, 1);
  assert.deepEqual(topicsIn(await get('/Search.ashx?query=zephyrs&filter=p:topic')), []);
});

/** The line of Harbour Folk in a search for it. */
const lineFrom = async (from: FastifyInstance): Promise<string> => {
  const { body } = await from.inject({
    url: '/Search.ashx?query=harbour+folk',
    headers: { host: 'radio.test' },
  });
  return /<outline type="audio"[^>]*guide_id="s1"[^>]*>/.exec(body)?.[0] ?? '';
};

test('under a station stands the show that it has on air, where it has a schedule', async () => {
  const { pool } = seeded.database;
  const plain = await lineFrom(app);
  assert.doesNotMatch(plain, /show_id|current_track/);
  const { rows } = await pool.query("SELECT id FROM shows WHERE title = 'Lantern Stories'");
  await pool.query(
    `INSERT INTO broadcasts (station_id, show_id, starts_at, ends_at) VALUES
      (1, $1, '2026-05-01 10:00Z', '2026-05-01 12:00Z'), (1, $1 + 1, '2026-05-01 11:00Z', '2026-05-01 11:05Z')`,
    [rows[0].id],
  );
  const at = (now: string): Promise<string> => {
    const deps = { directory: seeded.directory, db: pool, aliases: new Aliases(pool) };
    return lineFrom(testApp([search({ ...deps, clock: new ManualClock(now) })]).app);
  };
  const id = rows[0].id;
  const during = await at('2026-05-01T10:30:00Z');
  assert.match(
    during,
    new RegExp(`subtext="Lantern Stories".* show_id="p${id}" .*current_track="Lantern Stories"`),
  );
  assert.match(await at('2026-05-01T11:01:00Z'), /subtext="The Harbour Hour"/, 'the bulletin inside of it');
  assert.equal(await at('2026-05-01T12:00:00Z'), plain);
});

test('no station is found twice, by its place and by words like it', async () => {
  let few = 0;
  for (const { name } of seeded.directory.current().regionById.values()) {
    const body = await get(`/Search.ashx?query=${encodeURIComponent(name)}`);
    const ids = [...body.matchAll(/ guide_id="(s\d+)"/g)].map(([, id]) => id);
    if (ids.length > 0 && ids.length < 5) few += 1;
    assert.equal(new Set(ids).size, ids.length, `${name}: ${ids.join()}`);
  }
  assert.ok(few > 10, 'the test tells nothing');
});
