import { hash } from 'node:crypto';

/**
 * Which of several has a key, so that all who know the same names agree without asking each other: the one whose name
 * and the key together have the highest hash. With one more, it takes its share of the keys and the others keep theirs;
 * with one less, its keys alone move.
 */
export function rendezvous<T>(
  key: string | number,
  among: readonly T[],
  nameOf: (item: T) => string,
): T | undefined {
  if (among.length < 2) return among[0];
  let [chosen, highest] = [among[0], ''];
  for (const item of among) {
    const score = hash('sha256', `${nameOf(item)} ${key}`);
    if (score > highest) [chosen, highest] = [item, score];
  }
  return chosen;
}
