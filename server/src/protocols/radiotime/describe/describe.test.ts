import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import {
  BARE_SHOW,
  BARE_TOPIC,
  type DescribedDirectory,
  describedDirectory,
  FULL_SHOW,
  FULL_TOPIC,
} from '../../../../test/content/described-directory.ts';
import { testApp } from '../../../../test/apps/http-server.ts';
import { MemoryStore } from '../../../core/now-playing/memory-store.ts';
import { PlayingBoard } from '../../../core/now-playing/playing-board.ts';
import { keepSongs } from '../../../storage/catalog/songs.ts';
import { describe, recommend } from './describe.ts';

let described: DescribedDirectory;
let app: FastifyInstance;
let playing: PlayingBoard;
/** What stands for an id in the addresses below. */
let ids: Record<string, string>;
before(async () => {
  described = await describedDirectory();
  const { directory, aliases, clock, idOf, database } = described;
  const singing = Number(idOf('Lantern Jazz').slice(1));
  const store = new MemoryStore({ clock });
  playing = new PlayingBoard({ store, clock });
  const startedAt = clock.now().epochMilliseconds;
  const heard = { startedAt, heardAt: startedAt, source: 'azuracast' } as const;
  const song = {
    artist: 'The <Duo>',
    title: 'First Light',
    album: 'Quay',
    endsAt: startedAt + 95_000,
    ...heard,
  };
  const jingle = { title: 'Stay tuned', artAddress: 'http://art.example/1.jpg', ...heard };
  await store.publish([
    { stationId: singing, heard: song, dueInMs: 0 },
    { stationId: Number(idOf('Radio Fleuve').slice(1)), heard: jingle, dueInMs: 0 },
  ]);
  const deps = { directory, aliases, clock, playing, db: database.pool };
  app = testApp([...describe(deps), recommend()], { clock }).app;
  ids = {
    full: idOf('Town FM 97.9'),
    bare: idOf('Longwave Test Tone'),
    song: idOf('Lantern Jazz'),
    plain: idOf('Harbour Folk'),
    jingle: idOf('Radio Fleuve'),
    cold: idOf('Elbwelle'),
    show: FULL_SHOW,
    bareShow: BARE_SHOW,
    topic: FULL_TOPIC,
    bareTopic: BARE_TOPIC,
  };
  // Somebody asked about these before.
  for (const name of ['full', 'plain']) playing.asked(Number(ids[name]?.slice(1)));
  await playing.flush();
});
after(async () => {
  await app.close();
  await playing[Symbol.asyncDispose]();
  await described[Symbol.asyncDispose]();
});

const ask = (url: string) =>
  app.inject({
    url: url.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? name),
    headers: { host: 'radio.test' },
  });
const get = async (url: string): Promise<string> => {
  const { body, statusCode } = await ask(url);
  assert.equal(statusCode, 200);
  return body;
};

/** Each form full and empty, as radios get it. */
const GOLDEN = {
  station: '/Describe.ashx?id={full}&partnerId=demo',
  'station-bare': '/Describe.ashx?id={bare}',
  'station-with-song': '/describe.ashx?id={song}',
  'station-in-german': '/Describe.ashx?id={full}&locale=de',
  'station-details':
    '/Describe.ashx?id={full}&detail=affiliate,recommendation,genre&partnerId=demo&formats=mp3',
  'station-bare-details': '/Describe.ashx?id={bare}&detail=affiliate,genre,recommendation',
  show: '/Describe.ashx?id={show}',
  'show-bare': '/Describe.ashx?id={bareShow}',
  'show-details': '/Describe.ashx?id={show}&detail=genre,recommendation',
  topic: '/Describe.ashx?id={topic}',
  'topic-bare': '/Describe.ashx?id={bareTopic}',
  composite:
    '/Describe.ashx?c=composite&id={full}&detail=recommendations,genres,affiliates,schedules,options,listing&formats=aac',
  'composite-listing': '/Describe.ashx?c=composite&detail=listing&id={full}',
  'composite-bare':
    '/Describe.ashx?c=composite&id={bare}&detail=listing,options,schedules,affiliates,genres,recommendations',
  'now-playing-show': '/Describe.ashx?c=nowplaying&id={full}',
  'now-playing-song': '/NowPlaying.aspx?id={song}',
  'now-playing-plain': '/Describe.ashx?c=nowplaying&id={plain}',
  'now-playing-bare': '/Describe.ashx?c=nowplaying&id={bare}',
  'now-playing-of-a-show': '/Describe.ashx?c=nowplaying&id={show}',
  'now-playing-of-a-topic': '/Describe.ashx?c=nowplaying&id={topic}',
  formats: '/Describe.ashx?c=formats',
  locales: '/Describe.ashx?c=locales',
  nothing: '/Describe.ashx?id=s999999999',
  'malformed-id': '/Describe.ashx?id=s26779-5',
  'no-id': '/Describe.ashx',
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

type Fields = Record<string, unknown>;
interface Json {
  head: Record<string, string>;
  body: (Fields & { children?: Fields[] })[];
}
const json = async (url: string): Promise<Json> => JSON.parse(await get(`${url}&render=json`));

test('the fields are those of the field notes, in their order', async () => {
  const [station] = (await json('/Describe.ashx?id={song}')).body;
  assert.equal(
    Object.keys(station ?? {}).join(' '),
    'element guide_id preset_id name call_sign slogan frequency band url report_url detail_url is_preset is_available ' +
      'is_music has_song has_schedule has_topics twitter_id logo location current_song current_artist ' +
      'current_artist_id current_album current_artist_art current_album_art description email phone ' +
      'mailing_address language genre_id genre_name region_id country_region_id latlon tz tz_offset ad_eligible ' +
      'preroll_ad_eligible companion_ad_eligible video_preroll_ad_eligible fb_share twitter_share song_share ' +
      'tunein_url is_family_content is_mature_content is_event content_classification has_profile can_cast ' +
      'nielsen_eligible use_native_player live_seek_stream seek_disabled',
  );
  const [show] = (await json('/Describe.ashx?id={show}')).body;
  assert.equal(
    Object.keys(show ?? {}).join(' '),
    'element title hosts guide_id preset_id description is_preset is_event url report_url detail_url twitter_id logo ' +
      'location has_topics email phone language start start_utc duration genre_id genre_name secondary_genre_id ' +
      'secondary_genre_name fb_share twitter_share ad_eligible tunein_url is_family_content is_mature_content ' +
      'content_classification has_profile',
  );
  const [topic] = (await json('/Describe.ashx?id={topic}')).body;
  assert.equal(
    Object.keys(topic ?? {}).join(' '),
    'element guide_id title description hosts url logo is_available stream_type media_type show_id show_title duration',
  );
});

test('stations like another are those that the caller can play', async () => {
  const url = '/Describe.ashx?id={full}&detail=recommendation&formats=aac';
  const alike = [...(await get(url)).matchAll(/ formats="([^"]*)"/g)].map(([, formats = '']) => formats);
  assert.ok(alike.length > 0);
  for (const formats of alike) assert.ok(formats.split(',').includes('aac'), formats);
});

test('details come in the order in which clients read them, whatever the order of asking', async () => {
  for (const detail of ['affiliate,recommendation,genre', 'genre,affiliate,recommendation']) {
    const body = await get(`/Describe.ashx?id={full}&detail=${detail}`);
    const places = ['<station>', 'key="genres"', 'key="recommendations"', 'key="affiliates"'].map((text) =>
      body.indexOf(text),
    );
    assert.ok(!places.includes(-1), body);
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
  }
});

test('a show belongs to the networks of the stations that have it next', async () => {
  const networks: (string[] | null)[] = [];
  for (const id of ['{show}', '{bareShow}', '{topic}']) {
    const body = await get(`/Describe.ashx?id=${id}&detail=affiliate`);
    networks.push(body.match(/(?<=guide_id=")a\d+/g));
  }
  assert.deepEqual(networks, [['a5'], null, null]);
});

test('rule 22: a composite has its listing first, with the item flattened in it', async () => {
  const { body } = await json('/Describe.ashx?c=composite&detail=genres,listing&id={full}');
  assert.equal(body[0]?.['key'], 'listing');
  const [child = {}] = body[0]?.children ?? [];
  for (const field of ['guide_id', 'preset_id', 'name', 'slogan', 'logo']) assert.ok(child[field], field);
  const bare = await json('/Describe.ashx?c=composite&detail=listing&id={bare}');
  assert.ok(bare.body[0]?.children?.[0]?.['slogan'], 'a client shows it as the name of what is playing');
});

test('rule 23: the lists are texts with ids, sorted in the language of the caller', async () => {
  const lists: [c: string, id: RegExp, least: number][] = [
    ['countries', /^n\d+$/, 240],
    ['languages', /^l\d+$/, 40],
    ['genres', /^g\d+$/, 100],
    ['formats', /^[a-z0-9]+$/, 16],
    ['locales', /^[a-z]{2}-[A-Z]{2}$/, 1],
  ];
  for (const [c, id, least] of lists) {
    for (const locale of ['en', 'de']) {
      const { body } = await json(`/Describe.ashx?c=${c}&locale=${locale}`);
      assert.ok(body.length >= least, `${c}: ${body.length}`);
      for (const line of body) {
        assert.equal(line['type'], 'text');
        assert.match(String(line['guide_id']), id);
        assert.notEqual(line['text'], '');
      }
      const texts = body.map(({ text }) => String(text));
      const { compare } = new Intl.Collator(locale);
      if (c !== 'formats') assert.deepEqual(texts, texts.toSorted(compare), `${c} in ${locale}`);
    }
  }
});

test('formats beside the protocol’s own are listed, for clients that build their formats from the list', async () => {
  const { body } = await json('/Describe.ashx?c=formats');
  const codes = body.map(({ guide_id: code }) => code);
  for (const code of ['hls', 'opus']) assert.ok(codes.includes(code), `${code} of ${codes.join(', ')}`);
});

test('a country has its ISO code, and its name in the language of the caller', async () => {
  const german = await get('/Describe.ashx?c=countries&locale=de');
  assert.match(german, /<outline type="text" text="Deutschland" guide_id="n\d+" country_code="DE"\/>/);
  const english = await get('/Describe.ashx?c=countries');
  assert.match(english, /text="Germany" guide_id="n\d+" country_code="DE"/);
});

test('rule 24: two lines or more, the station first, and a lifetime', async () => {
  const line =
    /^<outline type="text" text="[^"]+" guide_id="s\d+" key="station" image="http:[^"]+" preset_id="s\d+"\/>$/m;
  for (const name of ['full', 'song', 'plain', 'bare']) {
    const { body, headers } = await ask(`/Describe.ashx?c=nowplaying&id={${name}}`);
    assert.match(body, line);
    assert.ok((body.match(/type="text"/g) ?? []).length >= 2, body);
    assert.match(body, /<logo>http:\/\/radio\.test\/logos\/s\d+q\.png<\/logo>/);
    assert.match(String(headers['cache-control']), /^private, max-age=\d+$/);
  }
});

const lifetime = async (url: string) => (await ask(url)).headers['cache-control'];
test('the lifetime is the rest of the song, of the show, or half a minute', async () => {
  assert.equal(await lifetime('/NowPlaying.aspx?id={song}'), 'private, max-age=95');
  // 25 minutes are left, of which clients are told no more than five.
  assert.equal(await lifetime('/NowPlaying.aspx?id={full}'), 'private, max-age=300');
  assert.equal(await lifetime('/NowPlaying.aspx?id={plain}'), 'private, max-age=30');
});

test('a station that nobody asked about lately holds a shorter time, and is asked about from then on', async () => {
  assert.equal(await lifetime('/NowPlaying.aspx?id={cold}'), 'private, max-age=15');
  await playing.flush();
  assert.equal(await lifetime('/NowPlaying.aspx?id={cold}'), 'private, max-age=30');
});

test('a cold station is told with the song that began within ten minutes, where one was kept', async () => {
  const { clock, database, idOf } = described;
  const began = (name: string, secondsAgo: number) => ({
    stationId: Number(idOf(name).slice(1)),
    title: 'Kept Song',
    artist: 'Ann',
    startedAtMs: clock.now().epochMilliseconds - secondsAgo * 1000,
  });
  await keepSongs(database.pool, [began('Bayou Nights', 500), began('Ondes de Paris', 700)]);
  const askNow = async (name: string) =>
    app.inject({ url: `/NowPlaying.aspx?id=${idOf(name)}`, headers: { host: 'radio.test' } });
  const cold = await askNow('Bayou Nights');
  assert.match(cold.body, /text="Ann - Kept Song" key="song"/);
  assert.equal(cold.headers['cache-control'], 'private, max-age=15');
  assert.doesNotMatch((await askNow('Ondes de Paris')).body, /Kept Song/);
  await playing.flush();
  assert.doesNotMatch((await askNow('Bayou Nights')).body, /Kept Song/, 'by now its streams are asked');
});

test('a song may have no artist, and a picture', async () => {
  assert.match(
    await get('/NowPlaying.aspx?id={jingle}'),
    /<outline type="text" text="Stay tuned" key="song"\/>/,
  );
  const station = await get('/Describe.ashx?id={jingle}');
  assert.match(station, /<has_song>true</);
  assert.match(station, /<current_song>Stay tuned<\/current_song>\s*<current_artist\/>/);
  assert.match(station, /<current_album_art>http:\/\/art.example\/1.jpg</);
});

test('a bare number is a station to now playing', async () => {
  const number = ids['full']?.slice(1);
  assert.equal(
    await get(`/Describe.ashx?c=nowplaying&id=${number}`),
    await get('/NowPlaying.aspx?id={full}&partnerid='),
  );
});

test('ids from elsewhere lead to our items; they may look like anything', async () => {
  assert.equal(await get('/Describe.ashx?id=s990001'), await get('/Describe.ashx?id={full}'));
  const uuid = 'aba58c69-3bdf-54d4-903e-31d421c073f7';
  assert.equal(await get(`/Describe.ashx?id=${uuid}`), await get('/Describe.ashx?id={plain}'));
});

test('what has no description is answered with nothing, and what is hidden too', async () => {
  const nothing = await get('/Describe.ashx?id=s999999999');
  for (const id of [
    'g1005',
    'c57922',
    'r0',
    'm5',
    'a5',
    'l5',
    'n5',
    'f1',
    'u21',
    'e1',
    'p999',
    't999',
    'p90023',
  ]) {
    assert.equal(await get(`/Describe.ashx?id=${id}`), nothing, id);
    assert.equal(await get(`/Describe.ashx?c=nowplaying&id=${id}`), nothing, id);
    assert.equal(await get(`/Describe.ashx?c=composite&id=${id}`), nothing, id);
  }
});

const startsOf = (body: string): string[] =>
  Array.from(body.matchAll(/ start="([^"]+)"/g), ([, start = '']) => start);

test('a show that is over is no longer in the schedule that was read while it was on', async () => {
  const { clock } = described;
  const url = '/Describe.ashx?c=composite&id={full}&detail=schedules';
  assert.deepEqual(startsOf(await get(url)), ['2026-07-15T07:00:00', '2026-07-15T17:00:00']);
  clock.advance({ hours: 2 });
  try {
    assert.deepEqual(startsOf(await get(url)), ['2026-07-15T17:00:00']);
  } finally {
    clock.advance({ hours: -2 });
  }
});

const nextStart = async (): Promise<string | undefined> =>
  /<start_utc>([^<]*)</.exec(await get('/Describe.ashx?id={show}'))?.[1];

test('a broadcast that is over is not a show’s next one, though it was when it was read', async () => {
  const { clock } = described;
  assert.equal(await nextStart(), '2026-07-15T07:00:00');
  clock.advance({ hours: 2 });
  try {
    assert.equal(await nextStart(), undefined);
  } finally {
    clock.advance({ hours: -2 });
  }
});

test('an unknown classifier is an unknown method', async () => {
  assert.match(await get('/Describe.ashx?c=constructor'), /<fault_code>api\.methodNotFound</);
});

test('recommendations by artist: none are known, and a call without an artist is told what is missing', async () => {
  assert.deepEqual(await json('/Recommend.ashx?a[0]=Nobody&r[0]=100'), { head: { status: '200' }, body: [] });
  assert.match(await get('/Recommend.ashx'), /Required parameter &apos;a\[0\]&apos; not provided/);
});
