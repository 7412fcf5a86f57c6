import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ProbedFarm, openProbedFarm } from '../test/station-farm/farm.ts';
import { type StationWorker, startWorker } from '../test/station-farm/workers.ts';
import type { Pass } from './probe/pass.ts';
import { startBare } from './run-bare.ts';

const text = (value: string) => ({ type: 'string', default: value }) as const;
const BARE = join(import.meta.dirname, 'probe/bare.ts');
const LONGEST_MS = 3_600_000;
const REST_SECONDS = 300;

/**
 * Probes a second of a worker beside connecting to the same stations and reading as many bytes bare, at the same
 * concurrency, by turns. The farm is a third process on the same machine. The first rounds are not counted: a worker that
 * has just begun has nothing compiled.
 * `npm run bench -- probe [--streams 2000] [--at-once 100] [--rounds 7] [--warm-up 2] [--delay 5]`
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
  const [streams, atOnce] = [Number(values.streams), Number(values['at-once'])];
  console.log(
    `${streams} streams, ${atOnce} at once; a worker and a bare reader, a process each, by turns.\n`,
  );
  printRow(
    'round',
    'bare, /s',
    'probes, /s',
    'ratio by wall',
    'bare, /s of a core',
    'probes, /s of a core',
    'ratio by CPU',
  );
  printRow(...Array.from({ length: 7 }, () => '---'));
  await using probed = await openProbedFarm(streams, Number(values.delay), false);
  await using bare = startBare<Pass>(BARE, [probed.farm.stations, probed.farm.port, atOnce]);
  await using worker = await startWorker({
    databaseUrl: probed.database.url,
    atOnce,
    restSeconds: REST_SECONDS,
  });
  const { rssMegabytes: before } = await worker.took();
  const ratios: number[] = [];
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    const early = round % 2 === 0 ? undefined : await bare.pass();
    const probes = await probeAll(probed, worker);
    ratios.push(print(round, streams, early ?? (await bare.pass()), probes));
  }
  const { rssMegabytes: after } = await worker.took();
  const counted = ratios.slice(Number(values['warm-up'])).toSorted((a, b) => a - b);
  const median = counted[counted.length >> 1] ?? Number.NaN;
  console.log(
    `\nmedian ratio by CPU ${median.toFixed(2)} of ${counted.length} rounds; the worker's memory: ${mb(before)} at first, ${mb(after)} at last`,
  );
}

const mb = (megabytes: number): string => `${megabytes.toFixed(0)} MB`;

async function probeAll(probed: ProbedFarm, worker: StationWorker): Promise<Pass> {
  const { cpuMs: before } = await worker.took();
  await probed.makeDue();
  const wallMs = await probed.isDone(LONGEST_MS);
  const { cpuMs } = await worker.took();
  return { wallMs, cpuMs: cpuMs - before };
}

function print(round: number, streams: number, bare: Pass, probes: Pass): number {
  const rate = (ms: number): number => (streams / ms) * 1000;
  const ratio = bare.cpuMs / probes.cpuMs;
  const cells = [rate(bare.wallMs), rate(probes.wallMs), bare.wallMs / probes.wallMs];
  const ofCore = [rate(bare.cpuMs), rate(probes.cpuMs), ratio];
  printRow(String(round), ...write(cells), ...write(ofCore));
  return ratio;
}

const write = ([one = 0, other = 0, share = 0]: number[]): string[] => [
  one.toFixed(0),
  other.toFixed(0),
  share.toFixed(2),
];

const printRow = (...cells: string[]): void => console.log(`| ${cells.join(' | ')} |`);
