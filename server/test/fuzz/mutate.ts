import type { Dice } from './dice.ts';

type Mutation = (bytes: Buffer, dice: Dice, tokens: readonly Buffer[]) => Buffer;

const MAX_BYTES = 200_000;

const replaced = (bytes: Buffer, from: number, to: number, by: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, from), by, bytes.subarray(to)]);

function piece(bytes: Buffer, dice: Dice, longest: number): [from: number, to: number] {
  const from = dice.below(bytes.length + 1);
  return [from, Math.min(bytes.length, from + dice.below(longest))];
}

const repeated = (bytes: Buffer, times: number): Buffer =>
  Buffer.alloc(Math.min(bytes.length * times, MAX_BYTES), bytes.length > 0 ? bytes : 0);

const MUTATIONS: readonly Mutation[] = [
  (bytes, dice, tokens) => {
    const at = dice.below(bytes.length + 1);
    return replaced(bytes, at, at, dice.pick(tokens));
  },
  (bytes, dice, tokens) => replaced(bytes, ...piece(bytes, dice, 30), dice.pick(tokens)),
  (bytes, dice) => {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[dice.below(copy.length)] = dice.below(256);
    return copy;
  },
  (bytes, dice) => replaced(bytes, ...piece(bytes, dice, 200), Buffer.alloc(0)),
  (bytes, dice) => bytes.subarray(0, dice.below(bytes.length + 1)),
  (bytes, dice) => bytes.subarray(dice.below(Math.min(bytes.length, 100) + 1)),
  (bytes, dice) => {
    const [from, to] = piece(bytes, dice, 60);
    return replaced(
      bytes,
      to,
      to,
      repeated(bytes.subarray(from, to), dice.chance(0.03) ? 4000 : dice.below(20)),
    );
  },
  (bytes, dice, tokens) => {
    const at = dice.below(bytes.length + 1);
    return replaced(bytes, at, at, repeated(dice.pick(tokens), dice.chance(0.03) ? 10_000 : dice.below(50)));
  },
];

/** These bytes with one to four things done to them. */
export function mutated(bytes: Buffer, dice: Dice, tokens: readonly Buffer[]): Buffer {
  let result = bytes;
  for (let left = 1 + dice.below(4); left > 0; left -= 1) result = dice.pick(MUTATIONS)(result, dice, tokens);
  return result.subarray(0, MAX_BYTES);
}
