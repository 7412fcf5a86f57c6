/** Numbers from 0 up to 1 from a seed (mulberry32): the same seed gives the same show on every machine. */
export type Random = () => number;

export function randomOf(seed: number): Random {
  let state = Math.imul(seed, 0x9e3779b1) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** By Zipf's law: the first of `count` twice as often as the second, and so on. */
export const rankOf = (random: Random, count: number): number => Math.floor((count + 1) ** random()) - 1;

/** Most below the mean, some far above it. */
export const sizeOf = (random: Random, mean: number, most: number): number =>
  Math.min(most, Math.ceil(-Math.log(1 - random()) * mean));

export const oneOf = <T>(random: Random, items: readonly T[]): T => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
};
