import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CleanRecord, cleanRecord } from './clean-record.ts';
import type { StationRecord } from './record.ts';

const BARE: StationRecord = {
  source: 'test',
  record: '1',
  name: 'Radio One',
  address: 'http://a.example/1',
  languages: [],
  tags: [],
  bitrateKbps: 0,
  hls: false,
  votes: 0,
  clicks: 0,
};

function stationOf(raw: Partial<StationRecord>): CleanRecord {
  const result = cleanRecord({ ...BARE, ...raw });
  if ('refused' in result) assert.fail(result.refused);
  return result.station;
}

test('a full record, cleaned', () => {
  const station = stationOf({
    name: '_WXYZ 93.9 FM &amp; friends\t(128k)',
    address: 'https://stream-7.zeno.fm/abc?zt=x',
    resolvedAddress: 'http://b.example:8000/;stream.mp3',
    homepage: 'www.facebook.com/WXYZ/',
    logo: 'https://a.example/logo.png',
    countryCode: 'US',
    countryName: 'United States',
    state: 'Ohio',
    city: 'Dayton',
    coordinate: { latitude: 39.75, longitude: -84.19 },
    languages: ['english', 'es'],
    tags: ['Rock', 'classic rock', 'moi merino'],
    codec: 'AAC+',
    bitrateKbps: 128_000,
    votes: 7.9,
    clicks: -3,
    lastCheckOk: true,
    lastSeen: '2026-02-12 10:11:12',
    radioBrowserId: '996EA893-621d-11e9-a622-52543be04c81',
    dead: true,
  });
  assert.deepEqual(station, {
    name: 'WXYZ 93.9 FM & friends',
    nameKey: 'wxyz939fm&friends',
    callSign: 'WXYZ',
    frequency: '93.9',
    band: 'FM',
    homepage: 'http://www.facebook.com/WXYZ/',
    homepageHost: 'facebook.com/wxyz',
    logo: 'https://a.example/logo.png',
    countryCode: 'US',
    state: 'Ohio',
    city: 'Dayton',
    coordinate: { latitude: 39.75, longitude: -84.19 },
    languages: ['en', 'es'],
    genres: ['classic-rock'],
    stream: {
      address: 'https://stream.zeno.fm/abc',
      addressKey: 'f176fa9b-4552-4af9-fa32-74e8b48a929e',
      resolved: 'http://b.example:8000/;stream.mp3',
      resolvedKey: 'b04542eb-6508-6da6-9772-d348534122b7',
      format: 'aac',
      bitrateKbps: 128,
      lastCheckOk: true,
      lastSeen: '2026-02-12',
      dead: true,
    },
    votes: 7,
    clicks: 0,
    radioBrowserId: '996ea893-621d-11e9-a622-52543be04c81',
  });
});

test('what is not known is not there, and survives JSON', () => {
  const station = stationOf({ homepage: 'x', logo: 'y', lastSeen: '2026-02-30', radioBrowserId: 'z' });
  assert.deepEqual(Object.keys(station).toSorted(), [
    'clicks',
    'genres',
    'languages',
    'name',
    'nameKey',
    'stream',
    'votes',
  ]);
  assert.deepEqual(Object.keys(station.stream), ['address', 'addressKey', 'bitrateKbps']);
  assert.deepEqual(JSON.parse(JSON.stringify(station)), station);
});

test('a stream is nobody’s homepage', () => {
  const address = 'https://stream.a.example:8000/live';
  const resolvedAddress = 'http://edge.a.example/live';
  const cases: Record<string, string | undefined> = {
    [address]: undefined,
    'http://stream.a.example:8000/live': undefined,
    [resolvedAddress]: undefined,
    'https://a.example/listen.pls': undefined,
    'https://a.example/hls/radio.m3u8?x=1': undefined,
    'https://a.example/radio.mp3': undefined,
    'https://a.example/': 'https://a.example/',
    'https://a.example/live.html': 'https://a.example/live.html',
    'https://stream.a.example/live': 'https://stream.a.example/live',
  };
  for (const [homepage, shown] of Object.entries(cases))
    assert.equal(stationOf({ address, resolvedAddress, homepage }).homepage, shown, homepage);
});

test('a resolved address that is the same stream, or none, is left out', () => {
  for (const resolvedAddress of ['https://a.example:443/1', 'rtsp://a.example/1', 'nonsense', '']) {
    assert.equal(stationOf({ resolvedAddress }).stream.resolved, undefined, resolvedAddress);
  }
});

test('days are days of the calendar', () => {
  const cases: Record<string, string | undefined> = {
    '2026-04-28': '2026-04-28',
    '2024-02-29T01:02:03Z': '2024-02-29',
    '2026-04-31': undefined,
    '2026-13-01': undefined,
    yesterday: undefined,
    '': undefined,
  };
  for (const [lastSeen, day] of Object.entries(cases))
    assert.equal(stationOf({ lastSeen }).stream.lastSeen, day);
});

test('a name guessed from gives genres that say so', () => {
  assert.equal(stationOf({ name: 'Jazz Radio' }).genresInferred, true);
  assert.equal(stationOf({ tags: ['jazz'] }).genresInferred, undefined);
});

test('a channel of a placeless network is known by its network', () => {
  const station = stationOf({ countryCode: 'AE', address: 'https://streaming.exclusive.radio/er/x' });
  assert.equal(station.countryCode, undefined);
  assert.equal(station.homepageHost, 'exclusive.radio');
});

test('what cannot be listed is refused with the reason', () => {
  const cases: [Partial<StationRecord>, RegExp][] = [
    [{ name: 'http://a.example/' }, /give the station a name/],
    [{ address: 'mms://a.example/' }, /give an http or https address/],
    [{ codec: 'AAC,H.264' }, /television/],
    [{ address: 'https://cdn.a.example/audio/georestriction.mp3?x=1' }, /message to listeners abroad/],
  ];
  for (const [raw, reason] of cases) {
    const result = cleanRecord({ ...BARE, ...raw });
    assert.match('refused' in result ? result.refused : 'listed', reason);
  }
});

test('cleaning is deterministic and leaves the record alone', () => {
  const raw: StationRecord = { ...BARE, tags: ['Jazz', 'pop', 'jazz'], languages: ['English'] };
  Object.freeze(raw.tags);
  Object.freeze(raw.languages);
  assert.deepEqual(cleanRecord(Object.freeze(raw)), cleanRecord(raw));
});
