/** An item's position on the dial, 0 to 1, hashed from its id: stable, and different for others. */
export function dialPlace(guideId: string): number {
  let hash = 2166136261;
  for (const character of guideId) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619);
  // Near the ends a needle looks lost.
  return 0.06 + ((hash >>> 8) / 2 ** 24) * 0.88;
}
