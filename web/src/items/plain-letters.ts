/**
 * Accents, and the vowel points of Hebrew and Arabic. Not the marks of scripts in which they are letters (Devanagari, Thai),
 * nor those of й, ў and ї, which have keys of their own: as the server's search has it.
 */
const ACCENTS =
  /(?<![иу])\u0306|(?<!і)\u0308|[\u0300-\u0305\u0307\u0309-\u036f\u0483-\u0487\u0591-\u05c7\u064b-\u065f\u0670\u06d6-\u06ed\u093c]/g;

/** Without case and accents: a search for `sao` finds São too. */
export const plainLetters = (text: string): string =>
  text.normalize('NFKD').toLowerCase().replaceAll(ACCENTS, '');
