import { parseArgs } from 'node:util';
import { openProbedFarm } from '../test/station-farm/farm.ts';
import type { Place } from '../test/station-farm/places.ts';
import { LAYERS, type Layer } from './probe/layers.ts';

const [STATIONS, AT_A_TIME, CONCURRENCY, WARM_UP, DELAY_MS] = [2000, 500, 100, 6, 5];

interface Took {
  /** In µs of CPU per station. */
  all: number;
  kernel: number;
}

/**
 * The cost of each layer of a probe, in one process, a few hundred stations of each in turn: in such small steps that
 * other load on the machine affects all of them alike. `npm run bench -- probe-layers [--rounds 40]`
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { rounds: { type: 'string', default: '40' } } });
  await using probed = await openProbedFarm(STATIONS, DELAY_MS, false);
  const took = new Map(Object.keys(LAYERS).map((name): [string, Took[]] => [name, []]));
  for (let round = 0; round < WARM_UP + Number(values.rounds); round += 1)
    for (const [name, layer] of Object.entries(LAYERS)) {
      const one = await pass(layer, (round * AT_A_TIME) % STATIONS, probed.farm);
      if (round >= WARM_UP) took.get(name)?.push(one);
    }
  print(took);
}

async function pass(layer: Layer, first: number, farm: Place): Promise<Took> {
  const before = process.cpuUsage();
  let next = first;
  const takeTurns = async (): Promise<void> => {
    while (next < first + AT_A_TIME) {
      const number = next;
      next += 1;
      await layer(number, farm);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, takeTurns));
  const { user, system } = process.cpuUsage(before);
  return { all: (user + system) / AT_A_TIME, kernel: system / AT_A_TIME };
}

function print(took: ReadonlyMap<string, readonly Took[]>): void {
  const [bare] = took.values();
  const bareMicros = median(bare ?? [], 'all');
  console.log('| layer, with all before it | µs of CPU | of these the kernel | bare beside it |');
  console.log('| --- | --- | --- | --- |');
  for (const [name, passes] of took) {
    const micros = median(passes, 'all');
    const cells = [micros.toFixed(0), median(passes, 'kernel').toFixed(0), (bareMicros / micros).toFixed(2)];
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}

function median(passes: readonly Took[], which: keyof Took): number {
  const sorted = passes.map((each) => each[which]).toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
