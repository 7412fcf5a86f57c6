import { parseArgs } from 'node:util';
import { type ScaleDatabase, dropScaleDatabase, openScaleDatabase } from './scale/database.ts';
import { load } from './scale/load.ts';
import { MAX, measure } from './scale/measure.ts';
import { openSide } from './scale/side.ts';
import { printSizes } from './scale/sizes.ts';

/**
 * `npm run bench -- scale`: shows, topics and feeds at 1 % and at 100 % of a size. Loads what is missing, can be
 * stopped and run again; prints the sizes on disk; sends the same queries to both databases in turn.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      shows: { type: 'string', default: '1000000' },
      topics: { type: 'string', default: '20000000' },
      name: { type: 'string', default: 'longwave_scale' },
      samples: { type: 'string', default: '300' },
      remove: { type: 'boolean', default: false },
    },
  });
  const names = { small: `${values.name}_1`, large: `${values.name}_100` };
  if (values.remove) {
    for (const name of Object.values(names)) await dropScaleDatabase(name);
    return;
  }
  const world = { shows: Number(values.shows), topics: Number(values.topics) };
  const slice = { shows: Math.ceil(world.shows / 100), topics: Math.ceil(world.topics / 100) };
  await using small = await openScaleDatabase(names.small, slice);
  await using large = await openScaleDatabase(names.large, world);
  for (const database of [small, large]) {
    await load(database, say);
    await printSizes(database);
  }
  await compare(small, large, Number(values.samples));
}

async function compare(small: ScaleDatabase, large: ScaleDatabase, samples: number): Promise<void> {
  await using one = await openSide(small);
  await using hundred = await openSide(large);
  const ratios = await measure(one, hundred, samples);
  const over = ratios.filter(({ p50 }) => p50 > MAX).map(({ name }) => name);
  console.log(
    over.length === 0
      ? `\nevery median at 100 % is within ${MAX} times that at 1 %`
      : `\nover ${MAX} times: ${over.join('; ')}`,
  );
  if (over.length > 0) process.exitCode = 1;
}

const say = (text: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
