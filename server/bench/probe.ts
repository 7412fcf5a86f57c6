import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ProbedFarm, openProbedFarm } from '../test/station-farm/farm.ts';
import { type StationWorker, startWorker } from '../test/station-farm/workers.ts';
import type { Pass } from './probe/pass.ts';
import { startBare } from './run-bare.ts';

const text = (value: string) => ({ type: 'string', default: value }) as const;
const processFile = (name: string): string => join(import.meta.dirname, `probe/${name}.ts`);
const MAX_MS = 3_600_000;
const REST_SECONDS = 300;
const COLUMNS = [
  'round',
  'bare, /s of a core',
  'probes alone',
  'ratio',
  'worker',
  'ratio',
  'bare, /s by the clock',
  'worker',
];

/**
 * Probes per second of a core, compared with connecting to the same stations and reading as many bytes without it,
 * alternating, at the same concurrency: alone, and in a worker with its claims, its host slots and its results. The
 * farm is one more process on the same machine. In wall-clock time a worker is held up by the farm's four large hosts,
 * to which it makes two connections at a time and the others do not. The first rounds do not count: a new process has
 * compiled nothing. `npm run bench -- probe [--streams 2000] [--at-once 100] [--rounds 7] [--warm-up 2] [--delay 5]`
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      streams: text('2000'),
      'at-once': text('100'),
      rounds: text('7'),
      'warm-up': text('2'),
      delay: text('5'),
    },
  });
  const [streams, concurrency] = [Number(values.streams), Number(values['at-once'])];
  console.log(`${streams} streams, ${concurrency} at once\n`);
  printRow(COLUMNS);
  printRow(COLUMNS.map(() => '---'));
  await using probed = await openProbedFarm(streams, Number(values.delay), false);
  const task = [probed.farm.stations, probed.farm.port, concurrency];
  await using bare = startBare<Pass>(processFile('bare'), task);
  await using alone = startBare<Pass>(processFile('alone'), task);
  const { url: databaseUrl } = probed.database;
  await using worker = await startWorker({ databaseUrl, concurrency, restSeconds: REST_SECONDS });
  const { rssMegabytes: before } = await worker.took();
  const ratios: Ratios[] = [];
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    const early = round % 2 === 0 ? undefined : await bare.pass();
    const passes = { alone: await alone.pass(), worker: await probeAll(probed, worker) };
    ratios.push(print(round, streams, { bare: early ?? (await bare.pass()), ...passes }));
  }
  const { rssMegabytes: after } = await worker.took();
  const counted = ratios.slice(Number(values['warm-up']));
  const told = `alone ${median(counted, 'alone')}, in a worker ${median(counted, 'worker')}`;
  console.log(
    `\nmedian ratio by CPU of ${counted.length} rounds: ${told}; the worker's memory: ${mb(before)} at first, ${mb(after)} at last`,
  );
}

interface Ratios {
  alone: number;
  worker: number;
}

const mb = (megabytes: number): string => `${megabytes.toFixed(0)} MB`;

function median(ratios: readonly Ratios[], which: keyof Ratios): string {
  const sorted = ratios.map((each) => each[which]).toSorted((a, b) => a - b);
  return (sorted[sorted.length >> 1] ?? Number.NaN).toFixed(2);
}

async function probeAll(probed: ProbedFarm, worker: StationWorker): Promise<Pass> {
  const { cpuMs: before } = await worker.took();
  await probed.makeDue();
  const wallMs = await probed.isDone(MAX_MS);
  const { cpuMs } = await worker.took();
  return { wallMs, cpuMs: cpuMs - before };
}

function print(
  round: number,
  streams: number,
  { bare, alone, worker }: Record<'bare' | 'alone' | 'worker', Pass>,
): Ratios {
  const rate = (ms: number): string => ((streams / ms) * 1000).toFixed(0);
  const ratios = { alone: bare.cpuMs / alone.cpuMs, worker: bare.cpuMs / worker.cpuMs };
  const byCpu = [rate(alone.cpuMs), ratios.alone.toFixed(2), rate(worker.cpuMs), ratios.worker.toFixed(2)];
  printRow([String(round), rate(bare.cpuMs), ...byCpu, rate(bare.wallMs), rate(worker.wallMs)]);
  return ratios;
}

const printRow = (cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);
