/** Made when the first name needs it: it takes a phone a fifth of a second. */
let letters: Intl.Segmenter | undefined;

function firstOf(word: string): string {
  if (/^[\x21-\x7e](?![^\x21-\x7e])/.test(word)) return word.charAt(0);
  letters ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of letters.segment(word)) return segment;
  return '';
}

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
