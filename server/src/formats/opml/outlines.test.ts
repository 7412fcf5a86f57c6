import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBit } from '../../lib/stream-format.ts';
import { moreShows, moreStations, stationOutline, withOnAir } from './outlines.ts';
import type { Presentation, StationFacts } from './outlines.ts';
import { asPreset } from './preset-outlines.ts';
import { streamOutline } from '../../protocols/radiotime/outlines/stream-outlines.ts';

const digi: StationFacts = {
  id: 7,
  name: 'Digi FM',
  frequency: '97.9',
  genreName: 'World Music',
  genreId: 5,
  placeName: 'Cluj, Romania',
  slogan: 'Close to you',
  languageName: 'Romanian',
  bitrate: 128,
  reliability: 96,
  formats: formatBit('aac') | formatBit('mp3'),
};
const internetOnly = { ...digi, frequency: undefined, genreName: undefined, placeName: undefined };

test('what a station is called depends on the list it stands in', () => {
  const cases: [StationFacts, Presentation, string][] = [
    [digi, 'byPlace', 'Digi FM 97.9 (World Music)'],
    [digi, 'byGenre', 'Digi FM (Cluj, Romania)'],
    [digi, 'preset', '97.9 | Digi FM (World Music)'],
    [{ ...digi, name: 'Digi 97.9' }, 'byPlace', 'Digi 97.9 (World Music)'],
    [internetOnly, 'byPlace', 'Digi FM'],
    [internetOnly, 'byGenre', 'Digi FM'],
    [internetOnly, 'preset', 'Digi FM'],
  ];
  for (const [station, presentation, text] of cases) {
    assert.equal(stationOutline(station, presentation).text, text);
  }
});

test('the subtext is the best there is and never empty', () => {
  const nameless: StationFacts = { id: 7, name: '', bitrate: 0, reliability: 0, formats: 0 };
  for (const [station, subtext] of [
    [digi, 'Close to you'],
    [{ ...digi, slogan: ' \0\t' }, 'Romanian'],
    [{ ...digi, slogan: undefined, languageName: '' }, 'Cluj, Romania'],
    [nameless, 's7'],
  ] as const) {
    assert.equal(stationOutline(station, 'byPlace').subtext, subtext);
  }
});

test('numbers stay in range, unknown formats and genre are left out', () => {
  const odd = stationOutline(
    { ...digi, bitrate: -1, reliability: 140, formats: 0, genreId: undefined },
    'byPlace',
  );
  assert.equal(odd.bitrate, 0);
  assert.equal(odd.reliability, 100);
  assert.equal(odd.formats, undefined);
  assert.equal(odd.genreId, undefined);
  assert.equal(stationOutline(digi, 'byPlace').formats, 'mp3,aac');
});

test('a song is shown before a show, a show before the slogan', () => {
  const station = stationOutline(digi, 'byGenre');
  const song = withOnAir(station, { song: 'Ann - One', showId: 9, showTitle: 'Morning' });
  assert.deepEqual(
    [song.subtext, song.playing, song.showId, song.currentTrack],
    ['Ann - One', 'Ann - One', 'p9', 'Morning'],
  );
  assert.equal(withOnAir(station, { showTitle: 'Morning' }).subtext, 'Morning');
  assert.equal(withOnAir(station, {}).subtext, 'Close to you');
  const blank = withOnAir(station, { song: ' \0', showTitle: 'Morning' });
  assert.deepEqual([blank.subtext, blank.playing], ['Morning', undefined], 'no song that nobody can read');
});

test('only a preset is numbered (rule 16)', () => {
  const station = stationOutline(digi, 'preset');
  assert.ok(!('presetNumber' in station) && !('isPreset' in station));
  const preset = asPreset(station, 3);
  assert.deepEqual([preset.presetNumber, preset.isPreset, preset.presetId], [3, true, 's7']);
});

test('paging lines have the words and keys that clients match (rule 19)', () => {
  const target = { path: '/Browse.ashx', params: [['offset', '50']] as const };
  assert.deepEqual(moreStations(target), {
    type: 'link',
    text: 'More Stations',
    target,
    key: 'nextStations',
  });
  assert.deepEqual(moreShows(target), { type: 'link', text: 'More Shows', target, key: 'nextShows' });
});

test('a stream of unknown bitrate does not claim 0 kbps', () => {
  const stream = {
    guideId: 'e1' as const,
    parentId: 's7' as const,
    name: 'Digi',
    address: 'http://a.test/',
    bitrate: 0,
    reliability: 50,
    format: 'ogg' as const,
  };
  assert.equal(streamOutline(stream).text, 'Digi (OGG)');
  assert.equal(streamOutline({ ...stream, bitrate: 96 }).text, 'Digi (96 kbps OGG)');
});
