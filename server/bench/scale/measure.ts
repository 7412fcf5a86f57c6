import { QUESTIONS, type Question } from './questions.ts';
import { randomOf } from './random.ts';
import type { Side } from './side.ts';

/** Durations of one query on one side, in microseconds. */
interface Times {
  wall: number[];
  cpu: number[];
  /** How many rows or outlines each answer had. */
  found: number[];
}

export interface Ratio {
  name: string;
  p50: number;
  p95: number;
  cpu: number;
}

/** Queries before counting: the runtime compiles, and PostgreSQL settles on a plan after five. */
const WARM_UP = 20;
export const MAX = 2;

/** Each query in turn on the small and on the large database, in one run, so that the machine's load affects both. */
export async function measure(small: Side, large: Side, samples: number): Promise<Ratio[]> {
  console.log(`${samples} samples each, in turn, one connection; microseconds\n`);
  const columns = ['p50', 'p95', 'CPU p50'].map((of) => `${of} at 1 % | at 100 % | ratio`);
  console.log(`| | rows | ${columns.join(' | ')} |\n|---|${'---|'.repeat(10)}`);
  const ratios: Ratio[] = [];
  for (const questions of QUESTIONS)
    ratios.push(...(await measureTogether(questions, small, large, samples)));
  return ratios;
}

async function measureTogether(
  questions: readonly Question[],
  small: Side,
  large: Side,
  samples: number,
): Promise<Ratio[]> {
  const times = new Map(questions.map((question) => [question, { small: noTimes(), large: noTimes() }]));
  for (let sample = -WARM_UP; sample < samples; sample += 1) {
    for (const [question, kept] of times) {
      // The second finds the machine as the first left it, so they alternate.
      const sides = [
        { side: small, kept: kept.small },
        { side: large, kept: kept.large },
      ];
      for (const one of sample % 2 === 0 ? sides : sides.toReversed())
        await ask(question, one.side, sample, sample < 0 ? undefined : one.kept);
    }
  }
  return [...times].map(([{ name }, kept]) => print(name, kept.small, kept.large));
}

const noTimes = (): Times => ({ wall: [], cpu: [], found: [] });

async function ask(question: Question, side: Side, sample: number, kept: Times | undefined): Promise<void> {
  const run = await question.prepare(side, randomOf(side.world.shows + 31 * sample));
  const [startedAt, cpuBefore] = [performance.now(), side.cpuMicros()];
  const found = await run();
  kept?.wall.push((performance.now() - startedAt) * 1000);
  kept?.cpu.push(side.cpuMicros() - cpuBefore);
  kept?.found.push(found);
}

function print(name: string, small: Times, large: Times): Ratio {
  if (at(large.found, 0.5) === 0 && at(small.found, 0.5) === 0)
    throw new Error(`${name}: most answers are empty, so nothing was measured`);
  const pair = (of: 'wall' | 'cpu', share: number): [number, number] => [
    at(small[of], share),
    at(large[of], share),
  ];
  const [p50, p95, cpu] = [pair('wall', 0.5), pair('wall', 0.95), pair('cpu', 0.5)];
  const cells = [p50, p95, cpu].flatMap((times) => [...times.map(Math.round), ratioOf(times).toFixed(2)]);
  console.log(`| ${name} | ${at(small.found, 0.5)}, ${at(large.found, 0.5)} | ${cells.join(' | ')} |`);
  return { name, p50: ratioOf(p50), p95: ratioOf(p95), cpu: ratioOf(cpu) };
}

const ratioOf = ([small, large]: readonly [number, number]): number => large / small;

function at(values: readonly number[], share: number): number {
  const rising = values.toSorted((a, b) => a - b);
  return rising[Math.min(rising.length - 1, Math.floor(rising.length * share))] ?? 0;
}
