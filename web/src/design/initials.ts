const LETTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

const firstOf = (word: string): string => {
  for (const { segment } of LETTERS.segment(word)) return segment;
  return '';
};

/** Up to two initials of a name, in any script. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean);
  return words.slice(0, 2).map(firstOf).join('').toLocaleUpperCase('en') || '~';
}

/** A stable hue, 0 to 359, for a name. */
export function tintOf(name: string): number {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 360;
  return hash;
}
