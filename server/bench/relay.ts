import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeAuthority } from '../test/certificates.ts';
import { median } from './load/rounds.ts';
import { cpuSecondsOf } from './load/wrk.ts';
import {
  type RelayContender,
  startIcecastRelay,
  startNginxProxy,
  startOurs,
  startProcess,
  startStation,
  stop,
} from './relay/contenders.ts';

const SETTLE_MS = 4000;

/** What a contender needed for what it delivered. */
interface Cost {
  cpuPerGigabit: number;
  kbPerListener: number;
  silent: number;
}

/**
 * `npm run bench -- relay [--listeners 1000] [--each 500] [--hls 20] [--rounds 3] [--seconds 10]`: the relay beside Icecast (one
 * connection for all), nginx (one for each) and ffmpeg (HLS copied), by turns, in processor seconds a gigabit and memory a listener.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      listeners: { type: 'string', default: '1000' },
      each: { type: 'string', default: '500' },
      hls: { type: 'string', default: '20' },
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
        ffmpeg: (station) => ffmpegCost(`http://127.0.0.1:${station.port}/live.m3u8`, hls, seconds),
        ours: (station) =>
          startOurs(`http://127.0.0.1:${station.port}/live.m3u8`, 'each', hls, folder).then((server) =>
            costOf(server, hls, seconds),
          ),
      },
      folder,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

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
  execFileSync('ffmpeg', ['-loglevel', 'error', ...sound, ...segments, join(folder, 'made.m3u8')]);
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

async function costOf(server: RelayContender, listeners: number, seconds: number): Promise<Cost> {
  await using running = server;
  const { pids, port, paths } = running;
  const before = memoryKb(pids);
  const sinkFile = join(import.meta.dirname, 'relay/sink.ts');
  await using sink = await startProcess([process.execPath, sinkFile, `${port}`, `${listeners}`, ...paths]);
  const lines = createInterface({ input: sink.child.stdout! });
  const ask = async (): Promise<{ bytes: number; silent: number }> => {
    sink.child.stdin?.write('\n');
    const [line] = await once(lines, 'line');
    return JSON.parse(String(line));
  };
  await sleep(SETTLE_MS);
  const [start, cpu] = [await ask(), cpuSecondsOf(pids)];
  await sleep(seconds * 1000);
  const [end, cpuSeconds] = [await ask(), cpuSecondsOf(pids) - cpu];
  return {
    cpuPerGigabit: cpuSeconds / (((end.bytes - start.bytes) * 8) / 1e9),
    kbPerListener: (memoryKb(pids) - before) / listeners,
    silent: end.silent,
  };
}

/** A process for each, which is how ffmpeg is used. */
async function ffmpegCost(address: string, count: number, seconds: number): Promise<Cost> {
  let bytes = 0;
  const children = Array.from({ length: count }, () => {
    const args = ['-loglevel', 'quiet', '-re', '-i', address, '-c', 'copy', '-f', 'adts', 'pipe:1'];
    const child = spawn('ffmpeg', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.on('data', (piece: Buffer) => (bytes += piece.length));
    return child;
  });
  const pids = children.map(({ pid = 0 }) => pid);
  await sleep(SETTLE_MS);
  const [start, cpu] = [bytes, cpuSecondsOf(pids)];
  await sleep(seconds * 1000);
  const cpuSeconds = cpuSecondsOf(pids) - cpu;
  const cost = {
    cpuPerGigabit: cpuSeconds / (((bytes - start) * 8) / 1e9),
    kbPerListener: memoryKb(pids) / count,
    silent: 0,
  };
  await Promise.all(children.map((child) => stop(child)));
  return cost;
}

/** What is its own, and its part of what is shared. */
const memoryKb = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const [, kb = '0'] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return sum + Number(kb);
  }, 0);
