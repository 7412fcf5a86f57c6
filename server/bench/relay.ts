import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeAuthority } from '../test/servers/certificates.ts';
import { CONVERTED } from '../src/workers/relay/converter.ts';
import { median } from './load/rounds.ts';
import { startIcecastRelay, startNginxProxy, startOurs, startStation } from './relay/contenders.ts';
import { type Cost, costOf, ffmpegCost } from './relay/cost.ts';

/**
 * `npm run bench -- relay [--listeners 1000] [--each 500] [--hls 20] [--converted 10] [--rounds 3] [--seconds 10]`: the relay beside
 * Icecast (one connection for all), nginx (one for each) and ffmpeg (HLS copied, AAC converted to MP3), by turns, in processor
 * seconds a gigabit and memory a listener.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      listeners: { type: 'string', default: '1000' },
      each: { type: 'string', default: '500' },
      hls: { type: 'string', default: '20' },
      converted: { type: 'string', default: '10' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '10' },
    },
  });
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
  const folder = mkdtempSync(join(tmpdir(), 'longwave-bench-relay-'));
  chmodSync(folder, 0o777);
  prepare(folder);
  try {
    const many = Number(values.listeners);
    await compare(
      `${many} listeners of one station, one connection to it`,
      rounds,
      {
        icecast: (station) =>
          startIcecastRelay(station.port, folder).then((server) => costOf(server, many, seconds)),
        ours: (station) =>
          startOurs(`http://127.0.0.1:${station.port}/live`, 'shared', many, folder).then((server) =>
            costOf(server, many, seconds),
          ),
      },
      folder,
    );
    const each = Number(values.each);
    await compare(
      `${each} listeners, a connection by HTTPS for each`,
      rounds,
      {
        nginx: (station) =>
          startNginxProxy(station.securePort, folder).then((server) => costOf(server, each, seconds)),
        ours: (station) =>
          startOurs(`https://127.0.0.1:${station.securePort}/live`, 'each', each, folder).then((server) =>
            costOf(server, each, seconds),
          ),
      },
      folder,
    );
    const hls = Number(values.hls);
    await compare(
      `${hls} stations of HLS, copied`,
      rounds,
      {
        ffmpeg: (station) =>
          ffmpegCost(copyingHls(`http://127.0.0.1:${station.port}/live.m3u8`), hls, seconds),
        ours: (station) =>
          startOurs(`http://127.0.0.1:${station.port}/live.m3u8`, 'each', hls, folder).then((server) =>
            costOf(server, hls, seconds),
          ),
      },
      folder,
    );
    const converted = Number(values.converted);
    await compare(
      `${converted} stations of AAC, converted to MP3`,
      rounds,
      {
        'ffmpeg from a file': () => ffmpegCost(converting(join(folder, 'sound.aac')), converted, seconds),
        ours: (station) =>
          startOurs(`http://127.0.0.1:${station.port}/sound.aac`, 'each', converted, folder, 'm128').then(
            (server) => costOf(server, converted, seconds),
          ),
      },
      folder,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const copyingHls = (address: string): string[] => [
  '-re',
  '-i',
  address,
  '-c',
  'copy',
  '-f',
  'adts',
  'pipe:1',
];

/** As the relay has it done. */
const converting = (file: string): string[] => [
  '-stream_loop',
  '-1',
  '-re',
  '-threads',
  '1',
  '-i',
  file,
  ...CONVERTED,
  'pipe:1',
];

function prepare(folder: string): void {
  const authority = makeAuthority();
  const { cert, key } = authority.issue('IP:127.0.0.1');
  for (const [name, text] of Object.entries({ ca: authority.ca, cert, key }))
    writeFileSync(join(folder, name), text);
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440', '-t', '300', '-c:a', 'aac', '-b:a', '96k'];
  const segments = [
    '-f',
    'hls',
    '-hls_time',
    '6',
    '-hls_list_size',
    '0',
    '-hls_segment_filename',
    join(folder, 'segment%d.ts'),
  ];
  const made = (...args: string[]): unknown =>
    execFileSync('ffmpeg', ['-loglevel', 'error', ...sound, ...args]);
  made(...segments, join(folder, 'made.m3u8'));
  made('-f', 'adts', join(folder, 'sound.aac'));
}

type Measure = (station: { port: number; securePort: number }) => Promise<Cost>;

/** Both by turns; ours divided by the other, round by round. */
async function compare(
  title: string,
  rounds: number,
  contenders: Readonly<Record<string, Measure>>,
  folder: string,
): Promise<void> {
  const costs = new Map<string, Cost[]>(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const names = Object.keys(contenders);
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      await using station = await startStation(folder);
      costs.get(name)?.push(await contenders[name]!(station));
    }
  }
  console.log(`\n${title}:`);
  const rows = [...costs].map(([name, each]) => [
    name,
    {
      'CPU-s a Gbit': median(each.map(({ cpuPerGigabit }) => cpuPerGigabit)).toFixed(2),
      rounds: each.map(({ cpuPerGigabit }) => cpuPerGigabit.toFixed(2)).join(' '),
      'KB a listener': median(each.map(({ kbPerListener }) => kbPerListener)).toFixed(0),
      'listeners without sound': Math.max(...each.map(({ silent }) => silent)),
    },
  ]);
  console.table(Object.fromEntries(rows));
  const [theirs = [], ours = []] = [...costs.values()];
  const ratios = ours.map((cost, n) => cost.cpuPerGigabit / (theirs[n]?.cpuPerGigabit ?? Number.NaN));
  console.log(
    `ours / ${[...costs.keys()][0]}: ${median(ratios).toFixed(2)} (${ratios.map((r) => r.toFixed(2)).join(', ')})`,
  );
}
