import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJson } from '../../../client/src/read-json.ts';
import { heardOf, readItem, splitName } from './item.ts';
import { sectionsOf, withPage } from './lists/sections.ts';
import type { Song } from './songs/song.ts';
import { underName } from './lists/under-name.ts';

const menu = (...body: object[]): ReturnType<typeof readJson> =>
  readJson(JSON.stringify({ head: { status: '200' }, body }));

const line = (attributes: Record<string, string>): Parameters<typeof readItem>[0] => {
  const [outline] = menu({ element: 'outline', ...attributes }).outlines;
  assert.ok(outline);
  return outline;
};

const station = (number: number): Record<string, string> => ({
  type: 'audio',
  text: `Station ${number} (Cork, Ireland)`,
  guide_id: `s${number}`,
  URL: `http://radio.test/Tune.ashx?id=s${number}`,
});

const more = (offset: number): Record<string, string> => ({
  type: 'link',
  text: 'More Stations',
  key: 'nextStations',
  URL: `http://radio.test/Browse.ashx?offset=${offset}&id=g1&filter=s`,
});

test('what stands in brackets behind a name is no part of it, in any script', () => {
  for (const [text, name, aside] of [
    ['Harbour Folk (Cork, Ireland)', 'Harbour Folk', 'Cork, Ireland'],
    ['راديو النيل (القاهرة)', 'راديو النيل', 'القاهرة'],
    ['ラジオ (東京)', 'ラジオ', '東京'],
    ['Radio (One) Two', 'Radio (One) Two', undefined],
    ['Radio (One) Two (Bath (Somerset), UK)', 'Radio (One) Two', 'Bath (Somerset), UK'],
    ['(Nothing else)', '(Nothing else)', undefined],
    ['Open ( bracket', 'Open ( bracket', undefined],
    ['Kereru\u0304 (Wellington)', 'Kerer\u016b', 'Wellington'],
  ] as const)
    assert.deepEqual(splitName(text), { name, aside }, text);
});

test('a long name of brackets is split in no time', () => {
  // Of the processor: what else the machine does is no matter of the name.
  const started = process.threadCpuUsage();
  splitName('x (' + '()'.repeat(50_000));
  splitName('a '.repeat(50_000) + '(');
  assert.ok(process.threadCpuUsage(started).user < 1_000_000);
});

test('a station, a show, a topic, a menu and a text are told apart', () => {
  const kinds = [
    [line(station(1)), 'station', '/station/s1'],
    [
      line({ type: 'link', text: 'Desk', guide_id: 'p1', URL: 'http://r.test/Tune.ashx?c=pbrowse&id=p1' }),
      'show',
      '/show/p1',
    ],
    [
      line({ type: 'audio', text: 'Part', guide_id: 't1', URL: 'http://r.test/Tune.ashx?id=t1' }),
      'topic',
      undefined,
    ],
    [
      line({ type: 'audio', text: 'Part', guide_id: 't1', URL: 'http://r.test/Tune.ashx?id=t1&sid=p9' }),
      'topic',
      '/show/p9',
    ],
    [
      line({ type: 'link', text: 'My Presets', key: 'presets', URL: 'http://r.test/listen/register?x' }),
      'link',
      '/presets',
    ],
    [
      line({ type: 'link', text: 'Jazz', guide_id: 'g2', URL: 'http://r.test/Browse.ashx?id=g2&locale=de' }),
      'link',
      '/browse?id=g2',
    ],
    [line({ type: 'text', text: 'Nothing' }), 'text', undefined],
  ] as const;
  for (const [outline, kind, href] of kinds) {
    const item = readItem(outline);
    assert.deepEqual([item.kind, item.href], [kind, href]);
  }
});

test('a topic has the picture of its show', () => {
  const topic = { type: 'audio', text: 'Part', guide_id: 't1' };
  assert.equal(readItem(line({ ...topic, image: 'http://r.test/logos/p9q.png' })).logoId, 'p9');
  assert.equal(readItem(line({ ...topic, image: 'http://elsewhere.test/x.png' })).logoId, undefined);
});

test('what plays now is what stands under a name', () => {
  const playing = readItem(line({ ...station(1), subtext: 'English', playing: 'The Duo - First Light' }));
  assert.equal(playing.subtext, 'The Duo - First Light');
  assert.equal(
    readItem(line({ type: 'audio', text: 'x', guide_id: 't1', topic_duration: '900' })).seconds,
    900,
  );
});

test('a song of the list gives way to the one that is watched, and goes when that is over', () => {
  const playing = readItem(
    line({ ...station(1), subtext: 'The Duo - First Light', playing: 'The Duo - First Light' }),
  );
  const show = readItem(line({ ...station(1), subtext: 'Morning Desk' }));
  const watched = (song: Song | undefined): [string | undefined, string | undefined] => {
    const songs = new Map([['s1', song]]);
    return [underName(playing, songs), underName(show, songs)];
  };
  assert.equal(underName(playing, new Map()), 'The Duo - First Light');
  const next: Song = { title: 'Ebb', artist: 'Ann', startedAt: undefined };
  assert.deepEqual(watched(next), ['Ann – Ebb', 'Ann – Ebb']);
  assert.deepEqual(watched(undefined), ['', 'Morning Desk']);
});

test('the player is not told the song of a list: it would show it for hours', () => {
  const playing = line({ ...station(1), subtext: 'The Duo - First Light', playing: 'The Duo - First Light' });
  assert.equal(heardOf(readItem(playing))?.subtext, 'Cork, Ireland');
  assert.equal(heardOf(readItem(line({ ...station(1), subtext: 'Morning Desk' })))?.subtext, 'Morning Desk');
});

test('groups are sections, lines between them too, and how a list goes on is no line of it', () => {
  const group = { element: 'outline', text: 'Stations', key: 'stations', children: [station(1), more(1)] };
  const sections = sectionsOf(
    menu(group, { type: 'link', text: 'More in Ireland', URL: 'http://r.test/Browse.ashx?id=r1' }),
  );
  assert.deepEqual(
    sections.map(({ title, items, more: next }) => [
      title,
      items.map(({ name }) => name),
      next !== undefined,
    ]),
    [
      ['Stations', ['Station 1'], true],
      [undefined, ['More in Ireland'], false],
    ],
  );
});

test('how a group goes on may stand behind it, by its name', () => {
  const group = { element: 'outline', text: 'Stations', key: 'stations', children: [station(1)] };
  const others = { element: 'outline', text: 'Shows', key: 'shows', children: [station(2)] };
  const [stations, shows, ...rest] = sectionsOf(menu(group, others, more(50)));
  assert.match(stations?.more ?? '', /offset=50/);
  assert.equal(shows?.more, undefined);
  assert.deepEqual(rest, []);
});

test('pages follow each other, nothing twice, and a circle is not walked', () => {
  const [first] = sectionsOf(menu(station(1), station(2), more(2)));
  assert.ok(first);
  const second = withPage(first, menu(station(2), station(3), more(4)));
  assert.deepEqual(
    second.items.map(({ guideId }) => guideId),
    ['s1', 's2', 's3'],
  );
  assert.match(second.more ?? '', /offset=4/);
  assert.equal(withPage(second, menu(station(3), more(2))).more, undefined);
  assert.equal(withPage(second, menu(station(4), more(4))).more, undefined);
});
