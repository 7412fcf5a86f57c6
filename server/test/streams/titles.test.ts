import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../time/wait-until.ts';
import { type Farm, openFarm } from './farm.ts';
import { songFile } from './serve-hls.ts';
import type { StationName } from './stations.ts';
import { CHAINED_SONGS } from './streams.ts';

interface Told {
  song: string | undefined;
  lifetimeSeconds: number;
}

interface Broadcasters {
  station: StationName;
  /** Puts the first song on the air, then the second. */
  play: (farm: Farm, song: 0 | 1) => Promise<void> | void;
  songs: readonly [first: string, second: string];
}

const QUOTED = ["Björk - It's 'Oh' So Quiet", "Sinéad O'Connor - Don't Cry; 'Nothing' Compares"] as const;
const byAdmin = (station: StationName, mount: string): Broadcasters => ({
  station,
  songs: QUOTED,
  play: ({ icecast }, song) => icecast.setTitle(mount, QUOTED[song]),
});
const HLS_SONGS = [
  { artist: 'Múm', title: "Green 'Grass' of Tunnel" },
  { artist: 'GusGus', title: 'Ladyshave' },
] as const;
const lineOf = ({ artist, title }: { artist: string; title: string }): string => `${artist} - ${title}`;

const AIRS: readonly Broadcasters[] = [
  byAdmin('Plain Harbour', '/mp3'),
  byAdmin('Latin Harbour', '/latin1'),
  byAdmin('Advanced Harbour', '/aac'),
  byAdmin('Vorbis Harbour', '/ogg'),
  // A relay of the first one.
  { station: 'Relayed Harbour', songs: QUOTED, play: () => undefined },
  {
    station: 'Chained Harbour',
    songs: [lineOf(CHAINED_SONGS[0]), lineOf(CHAINED_SONGS[1])],
    play: ({ chained }, song) => (song === 0 ? undefined : chained.play(song)),
  },
  {
    station: 'Tagged Harbour',
    songs: [lineOf(HLS_SONGS[0]), lineOf(HLS_SONGS[1])],
    play: ({ house }, song) => writeFileSync(songFile(house.folder), JSON.stringify(HLS_SONGS[song])),
  },
];

describe(
  'a new song is told within the lifetime that the answer before it stated',
  { concurrency: true },
  () => {
    let farm: Farm;
    let changedAt = 0;
    let repeated: Promise<void>;
    const done = new AbortController();
    let song: 0 | 1 = 0;
    /** The relay hands on a title only while it is being said, so it is said again and again, as some encoders do. */
    const repeat = async (): Promise<void> => {
      for (; !done.signal.aborted; await sleep(1000)) await farm.icecast.setTitle('/mp3', QUOTED[song]);
    };
    before(async () => {
      farm = await openFarm({ hasRedis: true });
      for (const { play } of AIRS) await play(farm, 0);
      repeated = repeat();
      await farm.work();
      const isTold = async ({ station, songs }: Broadcasters): Promise<unknown> =>
        waitUntil(
          `the first song of ${station}`,
          async () => {
            const told = await nowPlaying(farm, station);
            return told.song === songs[0] || undefined;
          },
          90_000,
        );
      await Promise.all(AIRS.map(isTold));
      song = 1;
      for (const { play } of AIRS) await play(farm, 1);
      changedAt = performance.now();
    });
    after(async () => {
      done.abort();
      await repeated;
      await farm[Symbol.asyncDispose]();
    });

    for (const { station, songs } of AIRS)
      test(station, async (t) => {
        const { song: told, lifetimeSeconds } = await nowPlaying(farm, station);
        assert.ok(told === songs[0] || told === songs[1], `it tells ${told}`);
        assert.ok(lifetimeSeconds >= 1 && lifetimeSeconds <= 30, `it holds for ${lifetimeSeconds} s`);
        while ((await nowPlaying(farm, station)).song !== songs[1]) {
          const seconds = (performance.now() - changedAt) / 1000;
          assert.ok(
            seconds < lifetimeSeconds,
            `nothing new after ${seconds} s; it was to hold for ${lifetimeSeconds} s`,
          );
          await sleep(1000);
        }
        t.diagnostic(
          `told after ${((performance.now() - changedAt) / 1000).toFixed(1)} s of ${lifetimeSeconds}`,
        );
      });
  },
);

async function nowPlaying({ house, idOf }: Farm, station: StationName): Promise<Told> {
  const address = `http://opml.radiotime.com/Describe.ashx?c=nowplaying&render=json&id=${idOf(station)}`;
  const answer = await house.run('curl', ['-fsS', '-m', '10', '-D', '-', address]);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const lines: { key?: string; text: string }[] = JSON.parse(body).body;
  return {
    song: lines.find(({ key }) => key === 'song')?.text,
    lifetimeSeconds: Number(/^cache-control:.*max-age=(\d+)/im.exec(head)?.[1]),
  };
}
