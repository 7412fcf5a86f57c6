import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BroadcastRow } from '../../../storage/catalog/schedules/broadcasts.ts';
import type { DirectoryStation } from '../../../core/directory/snapshot/snapshot.ts';
import { ALL_FORMATS, formatBit } from '../../../lib/stream-format.ts';
import { listAirings } from './on-air.ts';

const NOW = Temporal.Instant.from('2026-01-09T12:00:00Z');
const minutes = (count: number): Temporal.Instant => NOW.add({ minutes: count });
const broadcast = (station_id: number, from: number, until: number): BroadcastRow => ({
  station_id,
  show_id: 1,
  starts_at: minutes(from),
  ends_at: minutes(until),
});

const BARE: DirectoryStation = {
  rank: 0,
  id: 0,
  name: 'Station',
  frequency: undefined,
  band: undefined,
  slogan: undefined,
  callSign: undefined,
  description: undefined,
  homepage: undefined,
  zone: undefined,
  relay: undefined,
  countryCode: undefined,
  coordinate: undefined,
  genreId: undefined,
  genreName: undefined,
  languageName: undefined,
  regionId: undefined,
  placeName: undefined,
  genreIds: [],
  languageIds: [],
  affiliateIds: [],
  popularity: 0,
  votes: 0,
  clicks: 0,
  addedHour: 0,
  bitrate: 128,
  reliability: 90,
  formats: 0,
  hasUnknownFormat: false,
  hasLogo: false,
  streams: [],
};
const station = (id: number, popularity: number, format: 'mp3' | 'aac' = 'mp3'): DirectoryStation => ({
  ...BARE,
  id,
  popularity,
  formats: formatBit(format),
});
const stations = [station(1, 10), station(2, 99), station(3, 50), station(4, 7, 'aac')];
const snapshot = { stationById: new Map(stations.map((one) => [one.id, one])) };

const cases: [what: string, broadcasts: BroadcastRow[], formats: number, expected: [number, number?][]][] = [
  ['nothing', [], ALL_FORMATS, []],
  [
    'on now, the most popular first, with the time left',
    [broadcast(1, -30, 30), broadcast(2, 0, 60)],
    ALL_FORMATS,
    [
      [2, 3600],
      [1, 1800],
    ],
  ],
  ['over is over, to the second', [broadcast(1, -60, 0)], ALL_FORMATS, []],
  [
    'now before later, later in the order in which it comes',
    [broadcast(3, 10, 20), broadcast(2, 60, 90), broadcast(1, -1, 1)],
    ALL_FORMATS,
    [[1, 60], [3], [2]],
  ],
  ['a station once, for its first', [broadcast(1, -10, 10), broadcast(1, 60, 90)], ALL_FORMATS, [[1, 600]]],
  ['a station that is not here', [broadcast(77, -10, 10)], ALL_FORMATS, []],
  [
    'only what the caller plays',
    [broadcast(1, -10, 10), broadcast(4, -10, 10)],
    formatBit('aac'),
    [[4, 600]],
  ],
];
for (const [what, broadcasts, formats, expected] of cases) {
  test(what, () => {
    const airings = listAirings(snapshot, { broadcasts }, { now: NOW, formats });
    assert.deepEqual(
      airings.map(({ station: { id }, secondsRemaining }) =>
        secondsRemaining === undefined ? [id] : [id, secondsRemaining],
      ),
      expected,
    );
  });
}
