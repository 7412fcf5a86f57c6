import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Service, startService } from '../../end-to-end/service.ts';
import { HOST, type Item, Lyrion, SERIAL, linesOf, parseFeed } from './lyrion.ts';

/** Lyrion Music Server with one player, as its radio plugin asks: partner ids built in, nothing configured here for it. */
let service: Service;
let lyrion: Lyrion;
before(async () => {
  // A name that radios have built in: with it only partners that are registered are answered.
  service = await startService({ PUBLIC_HOSTS: HOST, HOME_PLACE: '51.9,-8.5' });
  lyrion = new Lyrion(service.httpPort);
});
after(() => service[Symbol.asyncDispose]());

const playable = (items: readonly Item[]): Item[] => linesOf(items).filter(({ type }) => type === 'audio');

test('the home page has each menu once, its own presets among them, and every one of them opens', async () => {
  const menus = await lyrion.menus();
  assert.deepEqual(
    [...menus.keys()],
    ['presets', 'search', 'local', 'talk', 'sports', 'music', 'location', 'language', 'podcast'],
  );
  for (const [key, url] of menus) {
    if (key === 'search') continue;
    const { items } = await lyrion.open(url);
    assert.ok(key === 'presets' || items.length > 0, `${key} is empty`);
  }
});

test('a station is found, saved, listed and played, with what it plays', async () => {
  const menus = await lyrion.menus();
  const presets = menus.get('presets') ?? '';
  assert.deepEqual((await lyrion.open(presets)).items, []);

  const [near] = playable((await lyrion.open(menus.get('local') ?? '')).items);
  const id = near?.attributes.get('guide_id') ?? '';
  assert.match(id, /^s\d+$/);
  const saved = await lyrion.about(`http://${HOST}/Preset.ashx?c=add&id=${id}&partnerId=15&serial=${SERIAL}`);
  assert.match(saved.body, /<status>200<\/status>/);

  const [preset, ...others] = (await lyrion.open(presets)).items;
  assert.deepEqual(others, []);
  assert.equal(preset?.type, 'audio');
  assert.equal(preset.attributes.get('guide_id'), id);
  assert.ok(preset.attributes.get('image'));

  const [stream = ''] = await lyrion.scan(preset.url ?? '');
  assert.match(stream, /^http:\/\/stream\.example\.net\//);
  const [, stationId = ''] = /(?:station)?id=([^&]+)/i.exec(preset.url ?? '') ?? [];
  const playing = await lyrion.about(`http://${HOST}/NowPlaying.aspx?partnerId=15&id=${stationId}`);
  const lines = parseFeed(playing.body).items;
  assert.ok(lines.length >= 2 && lines[0]?.attributes.get('image'));
  assert.match(playing.headers['cache-control'] ?? '', /max-age=\d+/);

  const options = await lyrion.feed(
    lyrion.openUrl(`http://${HOST}/Options.ashx?partnerId=15&id=${stationId}`),
  );
  assert.ok(options.items.every(({ url, name }) => url !== undefined && name !== ''));
});

test('presets are shown as they are now, not as they were five minutes ago', async () => {
  const presets = (await lyrion.menus()).get('presets') ?? '';
  const { headers } = await lyrion.about(lyrion.openUrl(presets));
  assert.match(headers['cache-control'] ?? '', /no-cache|no-store/);
});

test('where covers are looked up is told once, and a song without one shows the logo of its station', async () => {
  const config = await lyrion.about(`http://${HOST}/Config.ashx?c=api&partnerId=15&serial=${SERIAL}`);
  const [api] = parseFeed(config.body).items;
  const lookup = api?.attributes.get('albumart.lookupurl');
  assert.ok(lookup !== undefined && api?.attributes.get('albumart.url') !== undefined);
  const song = 'artist=Simon%20&%20Garfunkel&title=Cecilia';
  const found = await lyrion.about(`${lookup}?partnerId=15&serial=${SERIAL}&${song}`);
  const [art] = parseFeed(found.body).items;
  assert.equal(art?.attributes.get('album_art') ?? art?.attributes.get('artist_art'), undefined);
});

const TYPED: [typed: string, found: string][] = [
  ['lantern jazz', 'Lantern Jazz'],
  ['lantern & jazz', 'Lantern Jazz'],
  ['lantern&jazz', 'Lantern Jazz'],
  // Its words are no UTF-8 inside, and so they are sent.
  ['alpengl%FChen', 'Alpenglühen Volksmusik'],
];
for (const [typed, found] of TYPED) {
  test(`what is typed as '${typed}' finds ${found}`, async () => {
    const menus = await lyrion.menus();
    const { items, title } = await lyrion.open(menus.get('search') ?? '', typed);
    assert.ok(items[0]?.name.startsWith(found), `${title}: ${items[0]?.name}`);
  });
}

test('a program that follows "My Presets" of the index reads a line that says where to register', async () => {
  const { items } = await lyrion.feed(`http://${HOST}/Browse.ashx?partnerId=15`);
  const link = items.find(({ attributes }) => attributes.get('key') === 'presets');
  const { items: lines } = await lyrion.feed(link?.url ?? '');
  assert.deepEqual(
    lines.map(({ type, name }) => [type, name]),
    [['text', `Create an account at http://${HOST}/listen/register, then enter its name on this device`]],
  );
});
