import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { identify } from '../../../src/formats/audio/identify.ts';
import { oggSong } from '../../../src/formats/audio/ogg.ts';
import { parseHls } from '../../../src/formats/hls/parse-hls.ts';
import { segmentSong } from '../../../src/formats/hls/segment-song.ts';
import { BadAnswer, ChunkedBody, HeadReader } from '../../../src/formats/icy/head-reader.ts';
import { IcySplitter, parseStreamTitle } from '../../../src/formats/icy/icy-splitter.ts';
import { parsePlaylist } from '../../../src/formats/playlist/parse-playlist.ts';
import { sniffPlaylist } from '../../../src/formats/playlist/sniff-playlist.ts';
import { splitSong } from '../../../src/formats/song-text.ts';
import {
  azuracastSong,
  icecastSong,
  shoutcastSong,
} from '../../../src/formats/station-status/station-status.ts';
import { collectGarbage } from '../../processes/collect-garbage.ts';
import { Dice } from '../../fuzz/dice.ts';
import { mutated } from '../../fuzz/mutate.ts';
import { SAID, TOKENS } from '../../fuzz/stations.ts';
import { threadCpuMs } from '../../processes/least-cpu-ms.ts';

/** `ICY_MUTATIONS=300000 ICY_SEED=1 node scripts/test.ts server/test/drills/fuzz/icy-fuzz.test.ts` */
const MUTATIONS = Number(process.env['ICY_MUTATIONS'] ?? 20_000);
const SEED = Number(process.env['ICY_SEED'] ?? randomInt(2 ** 31));
const MAX_CPU_MS = 50;
const MAX_REPORTED = 10;
const MAX_KEPT_BYTES = 16 * 2 ** 20;
const BASE = 'http://radio.example.net/live';

type Kind = keyof typeof SAID;

/** In pieces as a network makes them: some of one byte. */
function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7 + 3) % 4001)
    yield bytes.subarray(at, at + size);
}

/** What is told further of what a station said; an empty list when it told nothing. */
const READERS: Readonly<Record<Kind, (bytes: Buffer) => unknown[] | Promise<unknown[]>>> = {
  head: (bytes) => {
    const reader = new HeadReader();
    for (const piece of pieces(bytes)) {
      const head = reader.push(piece);
      if (head) return [head.reason, ...head.headers.values()].map((text) => text.slice(0, 200));
    }
    return [];
  },
  chunked: (bytes) => {
    const body = new ChunkedBody();
    let length = 0;
    for (const piece of pieces(bytes)) length += body.push(piece).length;
    assert.ok(length <= bytes.length);
    return length > 0 ? [''] : [];
  },
  titles: (bytes) => {
    const splitter = new IcySplitter(bytes.length > 1000 ? 100 : 1);
    let length = 0;
    const titles: string[] = [];
    for (const piece of pieces(bytes)) {
      const split = splitter.push(piece);
      titles.push(...split.titles);
      for (const part of split.audio) length += part.length;
    }
    assert.ok(length <= bytes.length);
    return titles;
  },
  block: (bytes) => {
    const { title, url } = parseStreamTitle(bytes);
    return title === undefined ? [] : [title, url?.slice(0, 256), ...songTexts(splitSong(title))];
  },
  playlist: (bytes) => {
    const kind = sniffPlaylist(undefined, BASE, bytes.subarray(0, 512));
    if (kind === undefined || kind === 'hls') return [];
    const addresses = parsePlaylist(kind, bytes.toString(), BASE);
    assert.ok(addresses.length <= 20 && addresses.every((address) => /^https?:\/\//.test(address)));
    return addresses.map((address) => address.slice(0, 256));
  },
  hls: (bytes) => {
    const playlist = parseHls(bytes.toString(), BASE);
    if (!playlist) return [];
    if (playlist.kind === 'master')
      return ['', ...playlist.variants.map(({ address }) => address.slice(0, 256))];
    assert.ok(playlist.segments.length <= 50);
    return ['', ...playlist.segments.map(({ title }) => title)];
  },
  segment: (bytes) => songTexts(segmentSong(bytes)),
  sound: async (bytes) => {
    const audio = await identify(bytes.subarray(0, 32_768));
    for (const number of [audio?.bitrate, audio?.sampleRate, audio?.channels])
      assert.ok(number === undefined || (Number.isFinite(number) && number >= 0), `${number}`);
    return [...(audio ? [audio.codec, audio.container] : []), ...songTexts(oggSong(bytes))];
  },
  status: (bytes) => {
    const text = bytes.toString();
    return [icecastSong(text, '/live'), azuracastSong(text), shoutcastSong(text)].flatMap((song) =>
      songTexts(song),
    );
  },
};

const songTexts = (song: { artist?: string; title: string } | undefined): unknown[] =>
  song ? [song.artist, song.title] : [];

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const HIDDEN = /[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]/;
const isFit = (text: unknown): boolean =>
  text === undefined ||
  (typeof text === 'string' && text.length <= 256 && text.isWellFormed() && !HIDDEN.test(text));

async function read(kind: Kind, bytes: Buffer): Promise<unknown[]> {
  try {
    return await READERS[kind](bytes);
  } catch (error) {
    if (error instanceof BadAnswer) return [];
    throw error;
  }
}

/** A machine that does other things makes any reading slow once; one that is slow is so again. */
async function cpuMs(kind: Kind, bytes: Buffer): Promise<number> {
  let least = Infinity;
  for (let tries = 0; tries < 3; tries += 1) {
    const startedMs = threadCpuMs();
    await read(kind, bytes);
    least = Math.min(least, threadCpuMs() - startedMs);
  }
  return least;
}

async function findFlaw(kind: Kind, bytes: Buffer, tally: Map<Kind, number>): Promise<string | undefined> {
  const started = performance.now();
  try {
    const told = await read(kind, bytes);
    if (told.length > 0) tally.set(kind, (tally.get(kind) ?? 0) + 1);
    const took = performance.now() - started > MAX_CPU_MS ? await cpuMs(kind, bytes) : 0;
    if (took > MAX_CPU_MS) return `took ${took.toFixed(0)} ms of CPU for ${bytes.length} bytes`;
    const unfit = told.find((text) => !isFit(text));
    return unfit === undefined ? undefined : `unfit text ${JSON.stringify(unfit)?.slice(0, 300)}`;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

/** What is still held when nothing is being read. */
function keptBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test(`${MUTATIONS} mutated answers of stations are read or refused, in time and fit to be shown`, async (t) => {
  const [dice, tally, flaws] = [new Dice(SEED), new Map<Kind, number>(), new Array<string>()];
  // oxlint-disable-next-line no-unsafe-type-assertion -- the keys of an object that is written out
  const kinds = Object.keys(SAID) as Kind[];
  for (const kind of kinds) for (const bytes of SAID[kind]) await read(kind, bytes);
  const before = keptBytes();
  for (let count = 0; count < MUTATIONS && flaws.length < MAX_REPORTED; count += 1) {
    const kind = dice.pick(kinds);
    const bytes = mutated(dice.pick<Buffer>(SAID[kind]), dice, TOKENS);
    const flaw = await findFlaw(kind, bytes, tally);
    if (flaw !== undefined)
      flaws.push(`${kind} ${count}: ${flaw}\n${bytes.toString('latin1').slice(0, 300)}`);
  }
  const kept = keptBytes() - before;
  t.diagnostic(`seed ${SEED}: ${(kept / 2 ** 20).toFixed(1)} MiB kept`);
  t.diagnostic([...tally].map(([kind, count]) => `${count} x ${kind}`).join(', '));
  assert.deepEqual(flaws, [], `to see it again: ICY_SEED=${SEED}`);
  assert.ok(kept < MAX_KEPT_BYTES, `${kept} bytes`);
  // Were nearly all refused at their first byte, the drill would prove little.
  for (const kind of kinds)
    assert.ok((tally.get(kind) ?? 0) > MUTATIONS / kinds.length / 20, `a twentieth of ${kind} is still read`);
});
