import { decodeHTMLStrict } from 'entities';

export const MAX_NAME_LENGTH = 120;

/**
 * A station's name as people should read it, or undefined when nothing readable is left. Capitals are left alone:
 * "WDR" and "SHOUTING" cannot be told apart.
 */
export function cleanName(text: string): string | undefined {
  const readable = unwrap(trimJunk(plainSpaces(plainLetters(withoutMarkup(text.slice(0, 4096))))));
  const name = shorten(readable);
  return isName(name) ? name : undefined;
}

/** Entities are decoded until nothing changes, because lists that copied from lists encode them twice. */
function withoutMarkup(text: string): string {
  let decoded = text;
  for (let pass = 0; pass < 3 && decoded.includes('&'); pass++) decoded = decodeHTMLStrict(decoded);
  return decoded.includes('<') ? decoded.replaceAll(/<\/?[a-z][^<>]*>/gi, ' ') : decoded;
}

/**
 * Letters that only look different: mathematical, full-width, circled and letter-like Latin, Arabic presentation forms,
 * half-width katakana. Anything else keeps its form, such as "½", "№" or the full-width brackets of Chinese names.
 */
const LOOKALIKES =
  /(?:[\u{1D400}-\u{1D7FF}\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A\u24B6-\u24E9\u{1F130}-\u{1F149}\uFB50-\uFBFF\uFE70-\uFEFC\uFF66-\uFF9F]|(?=\p{L})[\u2100-\u214F])+/gu;

function plainLetters(text: string): string {
  // Most names are plain Latin, which no rule below touches.
  if (/^[\x20-\x7e\u00a1-\u00ac\u00ae-\u017f]*$/.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(LOOKALIKES, (run) => run.normalize('NFKC'))
    .normalize('NFC');
}

/** Zero-width joiners shape words of Arabic and Indic scripts and stay there; elsewhere they are hidden rubbish. */
const JOINER_IN_USE =
  /(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Kannada}\p{Script=Telugu}\p{Script=Sinhala}])[\u200c\u200d](?=\p{L})/u;
/** Format characters, replacement characters, and the selectors of emoji. */
const SOME_HIDDEN = /\p{Cf}|\u{FFFD}|\u{FE0E}|\u{FE0F}/u;
const HIDDEN = new RegExp(`(${JOINER_IN_USE.source})|${SOME_HIDDEN.source}`, 'gu');

function plainSpaces(text: string): string {
  const shown = SOME_HIDDEN.test(text)
    ? text.replaceAll(HIDDEN, (_hidden, joiner: string | undefined) => joiner ?? '')
    : text;
  return /\p{Cc}|[^\S ]| {2}/u.test(shown) ? shown.replaceAll(/[\p{Cc}\s]+/gu, ' ') : shown;
}

const JUNK = String.raw`\s_\-–—―|.,:;*~=^/\\!•·▶►■●`;
/** Signs and emoji that were put in front to be sorted first; "#1", "@FM", "+Buena" and "¡Que" are names. */
const LEADING = new RegExp(`^(?:(?!№)[${JUNK}\\p{So}\\p{Sk}\\p{Emoji_Modifier}]|#(?=\\s))+`, 'u');
const TRAILING = /[\s_\-–—―|,:;*~=^/\\•·▶►■●]/;

/** From the end, letter by letter: an expression that ends in `+$` begins anew at each of many such signs. */
function trimJunk(text: string): string {
  const led = text.replace(LEADING, '');
  let end = led.length;
  while (end > 0 && TRAILING.test(led[end - 1] ?? '')) end -= 1;
  return led.slice(0, end);
}

const WRAPPED = /^(?:\((.*)\)|\[(.*)\]|\{(.*)\}|"(.*)"|«(.*)»|“(.*)”)$/u;

/** "[Rock Radio]" and "((Rock Radio))" stand for Rock Radio; "(A) and (B)" stays. */
function unwrap(text: string): string {
  const inside = WRAPPED.exec(text)
    ?.slice(1)
    .find((group) => group !== undefined);
  if (inside === undefined) return text;
  if (!/[()[\]{}"«»“”]/.test(inside)) return trimJunk(inside);
  const deeper = unwrap(inside.trim());
  return deeper === inside.trim() ? text : deeper;
}

/** Cut at the last word that ends within the bound; a text without words is cut between characters. */
function shorten(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  const space = name.lastIndexOf(' ', MAX_NAME_LENGTH);
  const end = space > MAX_NAME_LENGTH / 2 ? space : MAX_NAME_LENGTH;
  return trimJunk(name.slice(0, end).replace(/[\ud800-\udbff]$/, ''));
}

const PLACEHOLDERS = new Set([
  'undefined',
  'null',
  'nan',
  'n/a',
  'none',
  'unknown',
  'no name',
  'unnamed',
  'untitled',
]);

function isName(name: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(name) || PLACEHOLDERS.has(name.toLowerCase())) return false;
  return !/^(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S*$/i.test(name);
}
