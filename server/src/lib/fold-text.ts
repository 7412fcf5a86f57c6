const MARKS = /\p{M}+/gu;
const BETWEEN_WORDS = /[^\p{L}\p{N}_&+]+/gu;

/**
 * Text as it is compared: compatibility letters (mathematical bold, full width) made plain, accents dropped, lower
 * case, `ß` as `ss`, anything between words one space. "𝐑𝐚𝐝𝐢𝐨 Łódź!" -> "radio łodz".
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(BETWEEN_WORDS, ' ')
    .trim();
}
