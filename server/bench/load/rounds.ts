import { type Contender, type Round, measure } from './wrk.ts';

export interface RoundsOptions {
  rounds: number;
  seconds: number;
  /** Called before each. */
  onRound?: (round: number) => void;
}

/**
 * All contenders in turn, again and again, so that other load on the machine affects each of them; every other round
 * backwards, since a contender after a heavy one finds another machine than one after a light one.
 */
export async function playRounds(
  contenders: readonly Contender[],
  { rounds, seconds, onRound }: RoundsOptions,
): Promise<Map<string, Round[]>> {
  const results = new Map<string, Round[]>(contenders.map(({ name }) => [name, []]));
  for (const contender of contenders) await measure(contender, seconds);
  for (let round = 1; round <= rounds; round += 1) {
    onRound?.(round);
    for (const contender of round % 2 === 0 ? contenders.toReversed() : contenders)
      results.get(contender.name)?.push(await measure(contender, seconds));
  }
  return results;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
