/** Scripts of which all characters in the fonts are included. */
const WHOLE =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thaana}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Ethiopic}\p{Script=Khmer}\p{Script=Hiragana}\p{Script=Katakana}\p{Nd}]/v;

/** Names are shown in capitals where the script has them, so that lower-case letters need no outline. */
const isShown = (character: string): boolean =>
  /[\p{L}\p{Nd}]/u.test(character) &&
  character.toUpperCase() === character &&
  character.normalize('NFKC') === character;

const HAN = /^\p{Script=Han}$/u;
/** Old two-byte national character sets contain what is in daily use, with the rare ones at their ends. */
const DAILY_USE = [
  { encoding: 'gb2312', leads: [0xb0, 0xf7], trailFrom: 0xa1, script: HAN },
  { encoding: 'big5', leads: [0xa4, 0xc6], trailFrom: 0x40, script: HAN },
  { encoding: 'shift_jis', leads: [0x88, 0x97], trailFrom: 0x40, script: HAN },
  { encoding: 'euc-kr', leads: [0xb0, 0xc8], trailFrom: 0xa1, script: /^\p{Script=Hangul}$/u },
] as const;

function* inDailyUse(): Generator<string> {
  for (const { encoding, leads, trailFrom, script } of DAILY_USE) {
    const decoder = new TextDecoder(encoding);
    for (let lead: number = leads[0]; lead <= leads[1]; lead += 1)
      for (let trail: number = trailFrom; trail <= 0xfe; trail += 1) {
        const text = decoder.decode(Uint8Array.of(lead, trail));
        if (script.test(text)) yield text;
      }
  }
}

/** Every character that a placeholder can show, by code point. */
export function listCharacters(): number[] {
  const wanted = new Set(inDailyUse());
  for (let code = 0x30; code < 0x3100; code += 1) {
    const character = String.fromCodePoint(code);
    if (WHOLE.test(character) && isShown(character)) wanted.add(character);
  }
  return Array.from(wanted, (character) => character.codePointAt(0) ?? 0).toSorted((a, b) => a - b);
}
