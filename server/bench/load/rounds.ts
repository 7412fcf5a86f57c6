import { type Contender, type Round, measure } from './wrk.ts';

export interface RoundsOptions {
  rounds: number;
  seconds: number;
  /** Told before each. */
  onRound?: (round: number) => void;
}

/** All contenders in turn, again and again, so that what the machine does beside meets each of them. */
export async function playRounds(
  contenders: readonly Contender[],
  { rounds, seconds, onRound }: RoundsOptions,
): Promise<Map<string, Round[]>> {
  const results = new Map<string, Round[]>(contenders.map(({ name }) => [name, []]));
  for (const contender of contenders) await measure(contender, seconds);
  for (let round = 1; round <= rounds; round += 1) {
    onRound?.(round);
    for (const contender of contenders) results.get(contender.name)?.push(await measure(contender, seconds));
  }
  return results;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
