/** Where an item stands on the dial, 0 to 1: always the same for the same one, and others are elsewhere. */
export function dialPlace(guideId: string): number {
  let hash = 2166136261;
  for (const character of guideId) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619);
  // Near the ends a needle looks lost.
  return 0.06 + ((hash >>> 8) / 2 ** 24) * 0.88;
}
