import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { testApp } from '../../../../test/apps/http-server.ts';
import { seededDirectory, type SeededDirectory } from '../../../../test/content/seeded-directory.ts';
import { addPartner, type PartnerRow } from '../../../core/accounts/partners/partners.ts';
import { Aliases } from '../../../core/directory/lookup/by-any-id.ts';
import { announcements } from './announcements.ts';
import { tune } from './tune.ts';
import { ManualClock } from '../../../../test/time/manual-clock.ts';
import { addShow, addTopic } from '../../../../test/database/catalogue/add-show.ts';

const NOW = '2026-01-09T12:00:00Z';
const SAVED = 5 * 1024 + 7;
const SILENT = 900_000;

let seeded: SeededDirectory;
let app: FastifyInstance;
let partner: PartnerRow | undefined;
/** Ids of shows: on air and with topics; with topics only; on air only; with nothing. */
const shows = { both: 0, topics: 0, live: 0, nothing: 0, unlisted: 0, exact: 0 };
const topicIds: number[] = [];

before(async () => {
  seeded = await seededDirectory();
  await addRows();
  const { directory, database } = seeded;
  const clock = new ManualClock(NOW);
  const deps = { directory, db: database.pool, aliases: new Aliases(database.pool), clock };
  app = testApp([tune(deps), ...announcements()], {
    clock,
    findPartner: (id) => (id === 'demo' ? partner : undefined),
  }).app;
});
after(async () => {
  await app.close();
  await seeded[Symbol.asyncDispose]();
});

const get = (url: string) => app.inject({ url, headers: { host: 'radio.test' } });
const body = async (url: string): Promise<string> => (await get(url)).body;
const idOf = (name: string): string => `s${numberOfStation(name)}`;
const numberOfStation = (name: string): number | undefined =>
  seeded.directory.current().stations.find((station) => station.name === name)?.id;
const golden = (t: TestContext, text: string, file: string): void =>
  t.assert.fileSnapshot(text, join(import.meta.dirname, 'golden', file), { serializers: [String] });

async function addRows(): Promise<void> {
  const { pool } = seeded.database;
  partner = await addPartner(pool, { id: 'demo', name: 'Demo' });
  const add = async (title: string): Promise<number> => (await addShow(pool, { title })) ?? assert.fail();
  shows.both = await add('Hearth Songs');
  shows.topics = await add('Tales & Tunes');
  shows.live = await add('Morning Desk');
  shows.nothing = await add('Silence');
  shows.unlisted = await add('Hidden');
  shows.exact = await add('On the Hour');
  await pool.query('UPDATE shows SET listed = false WHERE id = $1', [shows.unlisted]);
  for (const [showId, count] of [
    [shows.both, 2],
    [shows.topics, 52],
    [shows.unlisted, 1],
  ] as const) {
    for (let n = 1; n <= count; n += 1) await addTopicOf(showId, n);
  }
  const broadcast = (show: number, name: string, from: number, until: number) =>
    pool.query(
      `INSERT INTO broadcasts (show_id, station_id, starts_at, ends_at)
       VALUES ($1, $2, $3::timestamptz + $4 * interval '1 minute', $3::timestamptz + $5 * interval '1 minute')`,
      [show, numberOfStation(name), NOW, from, until],
    );
  await broadcast(shows.both, 'Harbour Folk', -30, 30);
  await broadcast(shows.live, 'Town FM 97.9', -10, 20);
  await broadcast(shows.live, 'Lantern Jazz', -10, 90);
  await broadcast(shows.live, 'Harbour Folk', 60, 120);
  await broadcast(shows.exact, 'Isar Klassik', -10, 60);
  await broadcast(shows.exact, 'Kiezfunk 24', -10, 30);
  await pool.query(`
    INSERT INTO accounts (id, username, password_hash) VALUES (7, 'Ann', 'x'), (8, 'Bob', 'x');
    UPDATE accounts SET readable_by_name = false WHERE id = 8;
    INSERT INTO usernames VALUES ('ann', 7), ('bob', 8);
    INSERT INTO folders (account_id, id, name, is_default, position) VALUES (7, 1031, 'F', true, 1), (8, 1032, 'F', true, 1);
    INSERT INTO presets (account_id, id, folder_id, position, kind, item_id, address, label) VALUES
      (7, ${SAVED}, 1031, 1, 'u', ${SAVED}, 'http://mine.example.net/live?key=secret', 'My stream'),
      (7, ${SAVED + 1024}, 1031, 2, 'u', ${SAVED + 1024}, 'javascript:alert(1)', 'Bad'),
      (8, ${SAVED + 1}, 1032, 1, 'u', ${SAVED + 1}, 'http://hers.example.net/', 'Hers');
    INSERT INTO stations (id, name, name_key) VALUES (${SILENT}, 'Silent FM', 'silent fm');
    INSERT INTO aliases (scheme, foreign_id, kind, item_id) VALUES
      ('elsewhere', 's22200000', 's', ${numberOfStation('Harbour Folk')}), ('elsewhere', 'p777777', 'p', ${shows.both}),
      ('radio-browser', 'aba58c69-3bdf-54d4-903e-31d421c073f7', 's', ${numberOfStation('Harbour Folk')})`);
}

async function addTopicOf(showId: number, n: number): Promise<void> {
  const id = await addTopic(seeded.database.pool, {
    showId,
    key: `00000000-0000-4000-8000-${String(showId * 1000 + n).padStart(12, '0')}`,
    title: `Part ${n}`,
    address: `http://topics.example.net/${showId}/${n}.mp3`,
    publishedAt: Temporal.Instant.from('2025-11-01T10:00:00Z').add({ hours: 24 * n }),
    durationSeconds: 3480,
    ...(n % 2 === 0 && { format: 'mp3' }),
  });
  topicIds.push(id ?? assert.fail());
}

const FOLK_128 = 'http://stream.example.net/harbourfolk-128.mp3';
const FOLK_64 = 'http://stream.example.net/harbourfolk-64.aac';

test('a station is bare addresses, a line each, without charset or header', async () => {
  const { body: text, headers, statusCode } = await get(`/Tune.ashx?id=${idOf('Harbour Folk')}`);
  assert.equal(statusCode, 200);
  assert.equal(headers['content-type'], 'audio/x-mpegurl');
  assert.equal(text, `${FOLK_128}\n${FOLK_64}\n`);
});

test('formats choose the streams', async () => {
  assert.equal(await body(`/tune.ashx?id=${idOf('Harbour Folk')}&formats=aac`), `${FOLK_64}\n`);
});

test('a station by its number, by the old page, by another directory’s id and by a UUID', async () => {
  const number = numberOfStation('Harbour Folk');
  for (const query of [
    `Tune.ashx?id=${number}`,
    `StationPlaylist.axd?stationId=${number}`,
    `stationplaylist.axd?stationid=s${number}`,
    'Tune.ashx?id=s22200000',
    'Tune.ashx?id=22200000',
    'StationPlaylist.axd?stationId=22200000',
    'Tune.ashx?id=aba58c69-3bdf-54d4-903e-31d421c073f7',
  ]) {
    assert.equal(await body(`/${query}`), `${FOLK_128}\n${FOLK_64}\n`, query);
  }
});

test('one stream, with or without its station; one that is gone leads to its station', async () => {
  const [first] =
    seeded.directory.current().stationById.get(numberOfStation('Harbour Folk') ?? 0)?.streams ?? [];
  const station = idOf('Harbour Folk');
  for (const query of [
    `id=e${first?.id}`,
    `id=e${first?.id}&sid=${station}`,
    `id=e${first?.id}&sid=s999999`,
  ]) {
    assert.equal(await body(`/Tune.ashx?${query}`), `${FOLK_128}\n`, query);
  }
  assert.equal(await body(`/Tune.ashx?id=e999999999&sid=${station}`), `${FOLK_128}\n${FOLK_64}\n`);
});

test('JSON has every field with its type', async (t) => {
  golden(t, await body(`/Tune.ashx?id=${idOf('Harbour Folk')}&render=json`), 'station.json');
  golden(t, await body(`/Tune.ashx?id=t${topicIds[0]}&sid=p${shows.both}&render=json`), 'topic.json');
});

test('listening options lead to one stream each', async (t) => {
  const text = await body(`/Tune.ashx?c=ebrowse&id=${idOf('Harbour Folk')}&partnerId=demo`);
  golden(t, text, 'options.opml');
  const [, option = ''] = /URL="http:\/\/radio\.test([^"]+)"/.exec(text) ?? [];
  assert.equal(await body(option.replaceAll('&amp;', '&')), `${FOLK_128}\n`);
});

test('a topic is its file, and has one listening option, which leads there', async (t) => {
  const file = `http://topics.example.net/${shows.both}/1.mp3\n`;
  assert.equal(await body(`/Tune.ashx?id=t${topicIds[0]}&sid=p${shows.both}&formats=mp3`), file);
  assert.equal(await body(`/Tune.ashx?id=t${topicIds[0]}`), file);
  const options = await body(`/Tune.ashx?c=ebrowse&id=t${topicIds[0]}`);
  golden(t, options, 'topic-options.opml');
  const [, option = ''] = /URL="http:\/\/radio\.test([^"]+)"/.exec(options) ?? [];
  assert.equal(await body(option.replaceAll('&amp;', '&')), file);
});

test('a show on air is its station; else its newest topic; else it says that there is nothing', async () => {
  const tuned = (show: number, more = '') => body(`/Tune.ashx?id=p${show}${more}`);
  assert.equal(await tuned(shows.both), `${FOLK_128}\n${FOLK_64}\n`);
  assert.equal(await tuned(shows.topics), `http://topics.example.net/${shows.topics}/52.mp3\n`);
  assert.match(await tuned(shows.live), /lanternjazz/, 'the more popular of two');
  assert.equal(
    await tuned(shows.live, '&formats=wma'),
    'http://radio.test/service/Audio/notcompatible.enUS.mp3\n',
  );
  assert.equal(await tuned(shows.nothing), 'http://radio.test/service/Audio/nostream.enUS.mp3\n');
  assert.equal(await tuned(shows.unlisted), '#STATUS: 400\n');
  assert.equal(await body(`/Tune.ashx?id=t${topicIds.at(-1)}`), '#STATUS: 400\n');
});

test('a device is tuned to a station with the show that it plays; else to the newest topic', async () => {
  const { directory, database } = seeded;
  const snapshot = directory.current();
  const stationById = new Map(snapshot.stationById);
  for (const name of ['Harbour Folk', 'Lantern Jazz']) {
    const id = numberOfStation(name) ?? assert.fail();
    const station = stationById.get(id) ?? assert.fail();
    const streams = station.streams.map((stream) => ({ ...stream, format: 'hls' as const }));
    stationById.set(id, { ...station, streams });
  }
  const deps = { directory: { current: () => ({ ...snapshot, stationById }) }, db: database.pool };
  const clock = new ManualClock(NOW);
  const hls = testApp([tune({ ...deps, aliases: new Aliases(database.pool), clock })], { clock }).app;
  const tuned = async (show: number, device: string): Promise<string> =>
    (await hls.inject({ url: `/Tune.ashx?id=p${show}&device=${device}` })).body;
  assert.match(await tuned(shows.live, 'mpv'), /^\S+lanternjazz/);
  assert.match(await tuned(shows.live, 'soundtouch'), /^\S+townfm/);
  assert.match(await tuned(shows.both, 'mpv'), /^\S+harbourfolk/);
  assert.equal(await tuned(shows.both, 'soundtouch'), `http://topics.example.net/${shows.both}/2.mp3\n`);
  await hls.close();
});

test('a show’s menu: topics first, then live, then stations', async (t) => {
  const menu = (show: number, more = '') => body(`/Tune.ashx?&c=pbrowse&id=p${show}&partnerId=demo${more}`);
  golden(t, await menu(shows.both), 'show.opml');
  golden(t, await menu(shows.both, '&render=json'), 'show.json');
  golden(t, await menu(shows.both, '&flatten=true'), 'show-flat.opml');
  golden(t, await menu(shows.live), 'show-live.opml');
  golden(t, await menu(shows.nothing), 'show-nothing.opml');
  assert.equal(
    await body('/Tune.ashx?c=pbrowse&id=p777777&partnerId=demo'),
    await menu(shows.both),
    'by an alias',
  );
});

test('of many topics the newest are shown, and the last line leads to all', async () => {
  const text = await body(`/Tune.ashx?c=pbrowse&id=p${shows.topics}`);
  assert.equal(text.match(/item="topic"/g)?.length, 50);
  assert.ok(text.indexOf('"Part 52"') < text.indexOf('"Part 3"') && !text.includes('"Part 2"'));
  const link = `/Browse.ashx?c=topics&amp;id=p${shows.topics}&amp;title=Tales%20%26%20Tunes`;
  assert.match(text, /<\/outline>\n<outline type="link" text="All Episodes" URL="http:\/\/radio\.test/);
  assert.ok(text.includes(link));
  // Mopidy looks for children in whatever has a key that begins so.
  assert.equal(text.match(/ key="topic/g)?.length, 1);
});

const airing = (show: number, more = ''): Promise<string> =>
  body(`/Tune.ashx?c=sbrowse&id=p${show}&partnerId=demo${more}`);

test('the stations that have a show now, by the time that is left, or flat', async (t) => {
  golden(t, await airing(shows.live), 'airing.opml');
  golden(
    t,
    await airing(shows.live, '&flatten=true&render=json&callback=RadioTime._loader.requests.r1.init'),
    'airing-flat.jsonp',
  );
  assert.match(await airing(shows.topics), /type="text" text="Not on air right now"/);
});

test('with exactly an hour or half an hour left a station stands under the shorter time', async () => {
  const lines = (await airing(shows.exact)).matchAll(/<outline text="([^"]*)"|seconds_remaining="(\d+)"/g);
  assert.deepEqual(
    [...lines].map(([, heading, seconds]) => heading ?? Number(seconds)),
    ['More than 30 minutes left', 3600, 'Less than 30 minutes left', 1800],
  );
});

test('a menu of what is no show is a fault', async () => {
  for (const c of ['pbrowse', 'sbrowse']) {
    for (const id of ['s1', 'p999999', '', `p${shows.unlisted}`, 'x']) {
      assert.match(
        await body(`/Tune.ashx?c=${c}&id=${id}`),
        /<status>404<\/status>\n\t<fault>No such show/,
        id,
      );
    }
  }
});

test('a saved address is told only to who names its account', async () => {
  const url = `/Tune.ashx?id=u${SAVED}&partnerId=demo`;
  const { body: text, headers } = await get(`${url}&username=ANN&formats=aac`);
  assert.equal(text, 'http://mine.example.net/live?key=secret\n');
  assert.match(String(headers['cache-control']), /no-store/);
  for (const refused of [
    url,
    `${url}&username=bob`,
    `${url}&username=nobody`,
    `${url}&serial=ann`,
    `/Tune.ashx?id=u${SAVED}&username=ann`,
    `/Tune.ashx?id=u${SAVED}&username=ann&partnerId=other`,
    `/Tune.ashx?id=u${SAVED + 1}&partnerId=demo&username=bob`,
  ]) {
    assert.equal(await body(refused), '#STATUS: 400\n', refused);
    assert.doesNotMatch(await body(`${refused}&render=json`), /example\.net/, refused);
    assert.doesNotMatch(await body(`${refused}&c=ebrowse`), /example\.net/, refused);
  }
});

test('an address that is no sound is never given', async () => {
  const text = await body(`/Tune.ashx?id=u${SAVED + 1024}&partnerId=demo&username=ann`);
  assert.equal(text, 'http://radio.test/service/Audio/notcompatible.enUS.mp3\n');
});

test('other kinds of playlist, each with its type', async (t) => {
  const kinds = {
    m3u8: 'audio/x-mpegurl',
    pls: 'audio/x-scpls',
    xspf: 'application/xspf+xml',
    m3u: 'audio/x-mpegurl',
  };
  for (const [kind, contentType] of Object.entries(kinds)) {
    const { body: text, headers } = await get(`/Tune.ashx?id=${idOf('Harbour Folk')}&render=${kind}`);
    assert.equal(headers['content-type'], contentType);
    golden(t, text, `station.${kind}`);
  }
  assert.match(await body(`/Tune.ashx?id=t${topicIds[0]}&render=pls`), /Title1=Part 1\nLength1=3480\n/);
});

test('a radio that can play none of it hears why, JSON says why, and the option leads there', async (t) => {
  const id = idOf('Harbour Folk');
  const address = 'http://radio.test/service/Audio/notcompatible.enUS.mp3';
  assert.equal(await body(`/Tune.ashx?id=${id}&formats=wma`), `${address}\n`);
  golden(t, await body(`/Tune.ashx?id=${id}&formats=wma&render=json`), 'notcompatible.json');
  const options = await body(`/Tune.ashx?c=ebrowse&id=${id}&formats=wma`);
  const [, option = ''] =
    /type="audio" text="Nothing to hear just now" URL="http:\/\/radio\.test([^"]+)"/.exec(options) ?? [];
  assert.equal(await body(option.replaceAll('&amp;', '&')), `${address}\n`);
});

test('whatever cannot be played, its option and its explanation lead to the announcement', async () => {
  const cases: [query: string, announcement: string][] = [
    [`id=${idOf('Harbour Folk')}&formats=wma`, 'notcompatible'],
    [`id=t${topicIds[0]}&formats=wma`, 'notcompatible'],
    [`id=u${SAVED + 1024}&partnerId=demo&username=ann`, 'notcompatible'],
    [`id=s${SILENT}`, 'nostream'],
    [`id=p${shows.nothing}`, 'nostream'],
  ];
  for (const [query, announcement] of cases) {
    const [, id] = /id=(\w+)/.exec(query) ?? [];
    for (const how of ['&c=ebrowse', '&explain=true']) {
      const menu = await body(`/Tune.ashx?${query}${how}`);
      const [, option = ''] = /type="audio" [^\n]*URL="http:\/\/radio\.test([^"]+)"/.exec(menu) ?? [];
      const heard = await body(option.replaceAll('&amp;', '&'));
      assert.equal(heard, `http://radio.test/service/Audio/${announcement}.enUS.mp3\n`, query + how);
      assert.match(menu, new RegExp(` guide_id="${id}"[^\n]* now_playing_id="${id}"`), query + how);
    }
  }
});

test('a station that has nothing to hear says so', async () => {
  assert.equal(await body(`/Tune.ashx?id=s${SILENT}`), 'http://radio.test/service/Audio/nostream.enUS.mp3\n');
  assert.match(
    await body(`/Tune.ashx?id=s${SILENT}&render=json`),
    /"reason":"There is nothing to hear just now"/,
  );
});

test('the announcements are there', async () => {
  for (const name of ['notcompatible', 'nostream']) {
    const { headers, rawPayload } = await get(`/service/Audio/${name}.enUS.mp3`);
    assert.equal(headers['content-type'], 'audio/mpeg');
    assert.equal(rawPayload.subarray(0, 3).toString('latin1'), 'ID3');
    assert.ok(rawPayload.length > 10_000);
  }
});

test('what cannot be tuned is a status line to a player and a fault to a program', async () => {
  for (const id of [
    's999999999',
    'g1005',
    'x',
    '',
    'e999999999',
    's1-5',
    'p999999',
    't999999',
    'u1',
    '99999999999999999999',
  ]) {
    assert.equal(await body(`/Tune.ashx?id=${id}`), '#STATUS: 400\n', id);
    if (id === 'u1') continue;
    const { head } = (await get(`/Tune.ashx?id=${id}&render=json`)).json<{ head: Record<string, string> }>();
    assert.equal(head['status'], '404');
    assert.equal(head['fault_code'], 'api.methodNotFound');
  }
});

test('an alias whose item is gone is as unknown as any', async () => {
  await seeded.database.pool.query(
    "INSERT INTO aliases (scheme, foreign_id, kind, item_id) VALUES ('elsewhere', 's31000000', 's', 31000001)",
  );
  assert.equal(await body('/Tune.ashx?id=s31000000'), '#STATUS: 400\n');
});

test('while the database is away a player reads a status line, and a station plays on', async () => {
  const db = { query: () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })) };
  const away = testApp([tune({ directory: seeded.directory, db, aliases: new Aliases(db) })]).app;
  const ask = async (query: string): Promise<string> =>
    (await away.inject({ url: `/Tune.ashx?${query}`, headers: { host: 'radio.test' } })).body;
  for (const id of [`t${topicIds[0]}`, `p${shows.both}`, 's999999999']) {
    assert.equal(await ask(`id=${id}`), '#STATUS: 503\n', id);
    assert.match(await ask(`id=${id}&render=json`), /"fault_code":"service\.unavailable"/, id);
  }
  assert.match(await ask(`c=pbrowse&id=p${shows.both}`), /<fault_code>service\.unavailable</);
  assert.equal(await ask(`id=${idOf('Harbour Folk')}`), `${FOLK_128}\n${FOLK_64}\n`);
  await away.close();
});
