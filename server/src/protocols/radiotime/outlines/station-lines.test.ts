import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunksOf, compose, fillIn, ownRoom } from '../../../formats/opml/compile.ts';
import { keptOutline, type OpmlDocument, type Outline } from '../../../formats/opml/document.ts';
import {
  groupOutline,
  type ListPresentation,
  moreStations,
  type StationFacts,
  stationOutline,
  withOnAir,
} from '../../../formats/opml/outlines.ts';
import { asPreset } from '../../../formats/opml/preset-outlines.ts';
import { writeJson } from '../../../formats/opml/write-json.ts';
import { writeXml } from '../../../formats/opml/write-xml.ts';
import { stationLines, type StationSource } from './station-lines.ts';

const named = (id: number, name: string): StationFacts => ({
  id,
  name,
  frequency: '97.9',
  genreName: 'Folk <1>',
  placeName: 'Zürich',
  bitrate: 128,
  reliability: 90,
  formats: 3,
});
const stations = [named(1, 'Rock & Pop'), named(2, 'Радио'), named(3, '"Gold"')];
const given = (facts: readonly StationFacts[], language = 'en', owner: object = facts): StationSource => ({
  owner,
  language,
  count: facts.length,
  factsOf: (rank) => facts[rank]!,
});

const more = moreStations({ path: '/Browse.ashx', params: [['offset', '50']], filter: 's' });
const menuOf = (lines: readonly Outline[], one: readonly Outline[]): OpmlDocument => ({
  title: 'Menü',
  outlines: [groupOutline('Stations', 'stations', [...lines, more]), ...one, ...lines],
});
const shared = (presentation: ListPresentation, filter?: string): OpmlDocument =>
  menuOf(
    stationLines(given(stations), [2, 0, 1], presentation, filter),
    stationLines(given(stations), [1], presentation, filter),
  );
const anew = (presentation: ListPresentation, filter?: string): OpmlDocument =>
  menuOf(
    [2, 0, 1].map((rank) => stationOutline(stations[rank]!, presentation, filter)),
    [stationOutline(stations[1]!, presentation, filter)],
  );

const SUFFIXES = ['', '&', '&ab', '&formats=mp3&serial=1', '&username=ann', "&serial=it's"];

test('lines kept as bytes are written as lines made anew, for every caller, host, filter and notation', () => {
  for (const presentation of ['byPlace', 'byGenre'] as const) {
    for (const filter of [undefined, 's', 's:popular:l5']) {
      for (const origin of ['http://a.test', 'https://b.test', 'http://a.test']) {
        for (const suffix of SUFFIXES) {
          const links = { origin, suffix };
          const [kept, made] = [shared(presentation, filter), anew(presentation, filter)];
          assert.equal(writeXml(kept, links), writeXml(made, links));
          assert.equal(writeJson(kept, links), writeJson(made, links));
          for (const notation of ['xml', 'json'] as const) {
            const composed = compose(notation, kept, origin);
            const expected = (notation === 'xml' ? writeXml : writeJson)(made, links);
            assert.equal(fillIn(composed, suffix, ownRoom).toString(), expected);
            assert.equal(fillIn(chunksOf(composed), suffix, ownRoom).toString(), expected);
          }
        }
      }
    }
  }
});

const write = (source: StationSource, origin = 'http://a.test'): string =>
  writeXml({ outlines: stationLines(source, [0, 1, 0], 'byPlace') }, { origin, suffix: '' });

test('a line is written once for its owner, language, presentation and host', () => {
  let asked = 0;
  const counting: StationSource = {
    ...given(stations),
    owner: {},
    factsOf: (rank) => {
      asked += 1;
      return stations[rank]!;
    },
  };
  const first = write(counting);
  assert.equal(asked, 2);
  assert.equal(write(counting), first);
  assert.equal(asked, 2);
  write(counting, 'http://b.test');
  write({ ...counting, language: 'de' });
  write({ ...counting, owner: {} });
  assert.equal(asked, 8);
});

test('lines of any number and length find room side by side', () => {
  const long = Array.from({ length: 3000 }, (_, id) => named(id + 1, 'ü'.repeat((id * 37) % 900)));
  const huge = [...long, named(3001, 'x'.repeat(300_000))];
  const ranks = huge.map((_, rank) => (rank * 7) % huge.length);
  const links = { origin: 'http://a.test', suffix: '&serial=1' };
  const composed = compose('xml', { outlines: stationLines(given(huge), ranks, 'byPlace') }, links.origin);
  const kept = fillIn(composed, links.suffix, ownRoom).toString();
  const made = writeXml({ outlines: ranks.map((rank) => stationOutline(huge[rank]!, 'byPlace')) }, links);
  assert.ok(kept === made);
});

const SHOWS = new Map([
  [0, { showId: 7, showTitle: 'Früh & <laut>' }],
  [3, { showId: 8, showTitle: ' ' }],
]);
const SONGS = new Map([
  [4, { song: 'Ann & "Bo" - <Eins>' }],
  [0, { song: 'Æ - Два', songImage: { address: 'https://art.test/1?a=1&b=2' } }],
]);
const placed = (some: ReadonlyMap<number, unknown>): { ranks: number[]; placeOf: Map<number, number> } => ({
  ranks: [...some.keys()],
  placeOf: new Map([...some.keys()].map((rank, place) => [rank, place])),
});
const onAir = { stamp: 1, shows: [...SHOWS.values()], ...placed(SHOWS) };
const songs = { songs: [...SONGS.values()], ...placed(SONGS) };
const all = [...stations, named(4, 'Vier'), named(5, 'Fünf')];

const HEARD: [what: string, heard: Pick<StationSource, 'onAir' | 'songs'>][] = [
  ['the show on air', { onAir }],
  ['the song', { songs }],
  ['the song, and the show with it,', { onAir, songs }],
];
for (const [what, heard] of HEARD) {
  test(`${what} stands in the lines of those that have it, and changes no other`, () => {
    const showOf = (rank: number) => (heard.onAir ? SHOWS.get(rank) : undefined);
    const songOf = (rank: number) => (heard.songs ? SONGS.get(rank) : undefined);
    expectLines(heard, (line, rank) =>
      showOf(rank) || songOf(rank) ? withOnAir(line, { ...showOf(rank), ...songOf(rank) }) : line,
    );
  });
}

test('a show that ends leaves no trace in the line of a song that goes on', () => {
  const later = { ...onAir, stamp: 2, ranks: [3], shows: [SHOWS.get(3)!], placeOf: new Map([[3, 0]]) };
  const writeWith = (shows: typeof onAir): string =>
    writeXml(
      { outlines: stationLines({ ...given(all), onAir: shows, songs }, [0], 'byPlace') },
      { origin: 'http://a.test', suffix: '' },
    );
  assert.match(writeWith(onAir), / subtext="Æ - Два".* playing="Æ - Два".* show_id="p7"/);
  assert.match(writeWith(later), / playing="Æ - Два"/);
  assert.doesNotMatch(writeWith(later), /show_id|current_track/);
});

/** In every notation, for every caller, however the stations are mixed. */
function expectLines(
  heard: Pick<StationSource, 'onAir' | 'songs'>,
  expectedLine: (line: Outline, rank: number) => Outline,
): void {
  for (const ranks of [[0], [0, 3], [1, 2], [1, 0, 2], [0, 1, 2], [2, 1, 0, 3, 4, 0]]) {
    for (const filter of [undefined, 's']) {
      const lines = stationLines({ ...given(all), ...heard }, ranks, 'byPlace', filter);
      const made = ranks.map((rank) => expectedLine(stationOutline(all[rank]!, 'byPlace', filter), rank));
      for (const suffix of SUFFIXES) {
        const links = { origin: 'http://a.test', suffix };
        for (const [notation, writeAs] of [['xml', writeXml] as const, ['json', writeJson] as const]) {
          const expected = writeAs(menuOf(made, []), links);
          const composed = compose(notation, menuOf(lines, []), links.origin);
          assert.equal(fillIn(composed, suffix, ownRoom).toString(), expected);
          assert.equal(fillIn(chunksOf(composed), suffix, ownRoom).toString(), expected);
        }
      }
    }
  }
}

test('lists with and without a filter stand in one menu, each with its own', () => {
  const links = { origin: 'http://a.test', suffix: '&serial=1' };
  const filters = [undefined, 's', undefined, 's:popular', 's:popular', 's'];
  const lists = filters.flatMap((filter) => stationLines(given(stations), [1, 0], 'byPlace', filter));
  const made = filters.flatMap((filter) =>
    [1, 0].map((rank) => stationOutline(stations[rank]!, 'byPlace', filter)),
  );
  const kept = fillIn(compose('xml', { outlines: lists }, links.origin), links.suffix, ownRoom);
  assert.equal(kept.toString(), writeXml({ outlines: made }, links));
});

test('no stations are no lines', () => {
  assert.deepEqual(stationLines(given(stations), [], 'byPlace'), []);
});

test('a copy of a kept outline that says something else is written as what it is', () => {
  const own = keptOutline(stationOutline(stations[0]!, 'byPlace'));
  const links = { origin: 'http://a.test', suffix: '' };
  const before = writeXml({ outlines: [own] }, links);
  for (const changed of [withOnAir(own, { song: 'x' }), asPreset(own, 1), { ...own, key: 'k' }]) {
    assert.notEqual(writeXml({ outlines: [changed] }, links), before);
    assert.notEqual(writeJson({ outlines: [changed] }, links), writeJson({ outlines: [own] }, links));
  }
  assert.equal(writeXml({ outlines: [own] }, links), before);
});
