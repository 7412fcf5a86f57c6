import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Farm, openFarm } from './farm.ts';
import { type Player, chromium, mopidy, mpd, mpv, vlc } from './players.ts';
import type { StationName } from './stations.ts';

/** How many stations each player is given; 24 are all there are. */
const STATIONS_EACH = Number(process.env['DEVICE_STATIONS'] ?? 4);

/** Those that are told the most of by playing come first. */
const STATIONS: readonly StationName[] = [
  'Secure Harbour',
  'Segment Harbour',
  'Nested Harbour',
  'Half Dead Harbour',
  'Opus Harbour',
  'Plain Harbour',
  'Advanced Harbour',
  'Plus Harbour',
  'Vorbis Harbour',
  'Chained Harbour',
  'Lossless Harbour',
  'Relayed Harbour',
  'Secure Advanced Harbour',
  'Tagged Harbour',
  'Master Harbour',
  'Listed Harbour',
  'Scroll Harbour',
  'Window Harbour',
  'Shared Harbour',
  'Moved Harbour',
  'Thrice Moved Harbour',
  'Moved Secure Harbour',
  'Rich Harbour',
  'Either Harbour',
];

/** Those of which a device is told that it cannot play them; it can play all others. */
const BEYOND: Readonly<Record<string, readonly StationName[]>> = {
  mpv: ['Window Harbour', 'Shared Harbour'],
  vlc: [],
  mpd: ['Listed Harbour', 'Scroll Harbour', 'Nested Harbour', 'Window Harbour', 'Shared Harbour'],
  web: ['Listed Harbour', 'Scroll Harbour', 'Nested Harbour', 'Window Harbour', 'Shared Harbour'],
  mopidy: ['Segment Harbour', 'Tagged Harbour', 'Master Harbour', 'Window Harbour'],
};
/** What needs a package of GStreamer's that is not installed here. */
const UNHEARD: Readonly<Record<string, readonly StationName[]>> = {
  mopidy: ['Advanced Harbour', 'Plus Harbour', 'Secure Advanced Harbour', 'Either Harbour'],
};
const PLAYERS: Readonly<Record<string, Player>> = { mpv, vlc, mpd, web: chromium, mopidy };

describe('players play every station that their profiles say they can', { concurrency: 2 }, () => {
  let farm: Farm;
  before(async () => {
    farm = await openFarm();
  });
  after(() => farm[Symbol.asyncDispose]());

  /** Whether Tune has anything for the device, but for the announcement that there is nothing. */
  const isPromised = async (device: string, station: StationName): Promise<boolean> => {
    const found = await farm.get(`/Tune.ashx?id=${farm.idOf(station)}&device=${device}`);
    return !found.includes('notcompatible');
  };

  for (const [device, play] of Object.entries(PLAYERS))
    test(device, async () => {
      const stations = STATIONS.slice(0, STATIONS_EACH);
      const beyond = BEYOND[device] ?? [];
      for (const station of stations)
        assert.equal(await isPromised(device, station), !beyond.includes(station), `${station} is promised`);
      const unheard = [...beyond, ...(UNHEARD[device] ?? [])];
      const given = stations.filter((station) => !unheard.includes(station));
      const played = await play(
        farm,
        given.map((station) => farm.idOf(station)),
      );
      const silent = given.filter((station) => !((played[farm.idOf(station)] ?? 0) >= 1));
      assert.deepEqual(silent, []);
    });
});
