import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { scheduleStreams } from '../../src/storage/catalog/streams/due-streams.ts';
import { waitUntil } from '../time/wait-until.ts';
import { type Farm, openFarm } from './farm.ts';
import { type StationName, STATIONS } from './stations.ts';

interface Found {
  name: StationName;
  address: string;
  verdict: string | null;
  format: string | null;
  codec: string | null;
  bitrate: number | null;
  playlist: string | null;
  redirects: number | null;
}

type Facts = Partial<Omit<Found, 'name' | 'address'>>;
const MP3: Facts = { verdict: 'plays', format: 'mp3', codec: 'MPEG 1 Layer 3', bitrate: 64 };
const AAC: Facts = { verdict: 'plays', format: 'aac', codec: 'AAC-LC', bitrate: 64 };
const HLS: Facts = { ...AAC, format: 'hls' };

/** What there is to find out about each station that has one stream. */
const EXPECTED: Partial<Record<StationName, Facts>> = {
  'Plain Harbour': MP3,
  'Latin Harbour': MP3,
  'Advanced Harbour': AAC,
  'Plus Harbour': AAC,
  'Vorbis Harbour': { verdict: 'plays', format: 'ogg', codec: 'Vorbis', bitrate: 64 },
  'Opus Harbour': { verdict: 'plays', format: 'opus', codec: 'Opus', bitrate: 48 },
  'Chained Harbour': { verdict: 'plays', format: 'opus', codec: 'Opus', bitrate: 32 },
  'Lossless Harbour': { verdict: 'plays', format: 'flac', codec: 'FLAC' },
  'Relayed Harbour': MP3,
  'Secure Harbour': MP3,
  'Secure Advanced Harbour': AAC,
  'Segment Harbour': HLS,
  'Tagged Harbour': HLS,
  'Master Harbour': HLS,
  'Listed Harbour': { ...MP3, playlist: 'm3u' },
  'Scroll Harbour': { ...MP3, playlist: 'pls' },
  'Nested Harbour': { ...MP3, playlist: 'm3u' },
  'Window Harbour': { ...MP3, playlist: 'asx' },
  'Shared Harbour': { ...MP3, playlist: 'xspf' },
  'Moved Harbour': { ...MP3, redirects: 1 },
  'Thrice Moved Harbour': { ...MP3, redirects: 3 },
  'Moved Secure Harbour': { ...MP3, redirects: 1 },
  'Dead Harbour': { verdict: 'dead' },
  'Absent Harbour': { verdict: 'dead' },
  'Gone Harbour': { verdict: 'dead' },
  'Page Harbour': { verdict: 'dead' },
  'Looping Harbour': { verdict: 'dead' },
  'Circling Harbour': { verdict: 'dead' },
  'Refused Harbour': { verdict: 'refused' },
  'Abroad Harbour': { verdict: 'geo' },
  'Full Harbour': { verdict: 'busy' },
  'Forged Harbour': { verdict: 'tls' },
};

describe('a worker listens to every stream of the farm', () => {
  let farm: Farm;
  let found: Found[];
  before(async () => {
    farm = await openFarm();
    await scheduleStreams(farm.pool, AbortSignal.timeout(10_000));
    await farm.pool.query(
      `UPDATE stream_checks SET next_due_at = CASE WHEN host LIKE '%radio-haven.net' THEN now() ELSE 'infinity' END`,
    );
    await farm.work();
    const all = Object.values(STATIONS).flat().length;
    found = await waitUntil(
      'every stream to be judged',
      async () => {
        const { rows } = await farm.pool.query<Found>(JUDGED);
        return rows.length === all ? rows : undefined;
      },
      120_000,
    );
  });
  after(() => farm[Symbol.asyncDispose]());

  for (const [name, facts] of Object.entries(EXPECTED))
    test(`${name}: ${Object.values(facts).join(', ')}`, () => {
      const of = found.filter((stream) => stream.name === name);
      assert.equal(of.length, 1);
      assert.partialDeepStrictEqual(of[0], facts);
    });

  test('Tune no longer leads to the dead stream of a station first', async () => {
    await waitUntil('the news', async () => {
      const told = await farm.get(`/Tune.ashx?id=${farm.idOf('Half Dead Harbour')}`);
      return /\/mp3\?half\n\S+:8001\/mp3\n$/.test(told) || undefined;
    });
  });

  test('longwave probe tells an operator each step of the way', async () => {
    const said = await farm.longwave('probe', farm.idOf('Nested Harbour'));
    const steps = [
      /nested\.m3u/,
      /playlist \(m3u\)/,
      /inner\.pls/,
      /playlist \(pls\)/,
      /MPEG 1 Layer 3/,
      /=> plays/,
    ];
    let at = 0;
    for (const step of steps) {
      const next = said.slice(at).search(step);
      assert.ok(next >= 0, `${step} is not in order in:\n${said}`);
      at += next;
    }
  });
});

const JUDGED = `SELECT st.name, s.address, c.verdict, c.format, c.codec, c.bitrate, c.playlist, c.redirects
  FROM stream_checks c JOIN streams s ON s.id = c.stream_id JOIN stations st ON st.id = s.station_id
  WHERE c.verdict IS NOT NULL AND c.host LIKE '%radio-haven.net'`;
