import { decodeHTMLStrict } from 'entities';
import { cutAt, foldText } from '../../lib/search-words.ts';
import { withoutStreamWords } from './stream-words.ts';

export const MAX_NAME_LENGTH = 120;

/**
 * The name in a record, without words about its stream, or undefined when nothing readable is left. Capitals stay: "WDR"
 * and "SHOUTING" cannot be told apart.
 */
export function cleanName(text: string): string | undefined {
  const whole = readable(text);
  const name = shorten(unwrap(trimJunk(withoutStreamWords(whole))));
  return isName(name) ? name : undefined;
}

/** A name that somebody chose for a station: all of its words stay. */
export function readableName(text: string): string | undefined {
  const name = shorten(readable(text));
  return isName(name) ? name : undefined;
}

const readable = (text: string): string =>
  unwrap(trimJunk(plainSpaces(plainLetters(withoutMarkup(text.slice(0, 4096))))));

/** Entities are decoded until nothing changes, because lists copied from other lists encode them twice. */
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

/** Zero-width joiners shape words of Arabic and Indic scripts and stay there; elsewhere they are invisible junk. */
const JOINER_IN_USE =
  /(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Kannada}\p{Script=Telugu}\p{Script=Sinhala}])[\u200c\u200d](?=\p{L})/u;
/** Format characters, replacement characters, and emoji variation selectors. */
const SOME_HIDDEN = /\p{Cf}|\u{FFFD}|\u{FE0E}|\u{FE0F}/u;
const HIDDEN = new RegExp(`(${JOINER_IN_USE.source})|${SOME_HIDDEN.source}`, 'gu');

function plainSpaces(text: string): string {
  const shown = SOME_HIDDEN.test(text)
    ? text.replaceAll(HIDDEN, (_hidden, joiner: string | undefined) => joiner ?? '')
    : text;
  return /\p{Cc}|[^\S ]| {2}/u.test(shown) ? shown.replaceAll(/[\p{Cc}\s]+/gu, ' ') : shown;
}

const JUNK = String.raw`\s_\-–—―|.,:;*~=^/\\!•·▶►■●`;
/** Signs and emoji put in front to sort first; "#1", "@FM", "+Buena" and "¡Que" are names. */
const LEADING = new RegExp(`^(?:(?!№)[${JUNK}\\p{So}\\p{Sk}\\p{Emoji_Modifier}]|#(?=\\s))+`, 'u');
const TRAILING = /[\s_\-–—―|,:;*~=^/\\•·▶►■●]/;

/** From the end, character by character: a regular expression that ends in `+$` restarts at each of many such signs. */
function trimJunk(text: string): string {
  const led = text.replace(LEADING, '');
  let end = led.length;
  while (end > 0 && TRAILING.test(led[end - 1] ?? '')) end -= 1;
  return led.slice(0, end);
}

const WRAPPED = /^(?:\((.*)\)|\[(.*)\]|\{(.*)\}|"(.*)"|«(.*)»|“(.*)”)$/u;

/** "[Rock Radio]" and "((Rock Radio))" become Rock Radio; "(A) and (B)" stays. */
function unwrap(text: string): string {
  const inside = WRAPPED.exec(text)
    ?.slice(1)
    .find((group) => group !== undefined);
  if (inside === undefined) return text;
  if (!/[()[\]{}"«»“”]/.test(inside)) return trimJunk(inside);
  const deeper = unwrap(inside.trim());
  return deeper === inside.trim() ? text : deeper;
}

/** Cut after the last word that fits; a text without words is cut between characters. */
function shorten(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  const space = name.lastIndexOf(' ', MAX_NAME_LENGTH);
  const end = space > MAX_NAME_LENGTH / 2 ? space : MAX_NAME_LENGTH;
  return trimJunk(cutAt(name, end));
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

export const MAX_KEY_LENGTH = 120;
/** Far more than a key needs; names from listeners' lists can be of any length. */
const MAX_READ_LENGTH = 1000;

const BITRATE = String.raw`\d{2,4} ?(?:k|kb|kbs|kbps|kbits?)(?: s)?`;
const CODEC = String.raw`(?:mp3|mpeg|aac|aacp|aac\+|he aac(?: v?\d)?|ogg|vorbis|opus|flac|hls|m3u8?|pls)(?: \d{2,3}(?! ?k)| stream| low| high)?`;
/** "HD 2" is a channel of its own; "HD" alone is advertising. */
const QUALITY = String.raw`[hl]q|uhq|(?:high|low|mid|medium|best|hi) (?:quality|bitrate|res)|hd(?! \d(?!\d))`;
/** Words about the stream, not the station, as whole words of a folded name. */
const STREAM_WORDS = new RegExp(`(?<![^ ])(?:${BITRATE}|${CODEC}|${QUALITY})(?![^ ])`, 'g');
/** A cheap first test: nearly every stream word contains one of these, and most names contain none. */
const MAY_HAVE_STREAM_WORDS = /\d ?k|mp|aac|ogg|vorbis|opus|flac|hls|m3u|pls|[hl]q|hd|qual|bitr|res/;

/** Distinguishes several equal streams; "(Vienna)" and "(Jazz)" distinguish stations. */
const STREAM_NOTE =
  /[([]\s*(?:\d|(?:(?:not?|un)\s*)?https?|ssl|official(?: stream)?|low|high|lo-?fi|hi-?fi|backup|mirror|live)\s*[)\]]/gi;

/**
 * The key by which names are compared: two records of one country with the same key are streams of one station. It
 * ignores case, accents, spaces and punctuation, bitrate and codec. It keeps numbers: "Hit FM 98.1" and "Hit FM 101.3"
 * are two transmitters with programmes of their own far more often than one station twice. It also keeps "radio" and
 * "fm", without which "Radio 1" and "FM 1" would be one, and text in brackets, which is where networks put the town.
 */
export function nameKey(whole: string): string {
  const name = whole.slice(0, MAX_READ_LENGTH);
  const folded = foldText(/[([]/.test(name) ? name.replaceAll(STREAM_NOTE, ' ') : name);
  const given = MAY_HAVE_STREAM_WORDS.test(folded) ? folded.replaceAll(STREAM_WORDS, ' ') : folded;
  return squeeze(given) || squeeze(foldText(name)) || squeeze(name.toLowerCase());
}

/** Stands before the key of a name that only doubtful records say; keys themselves are letters and digits. */
const DOUBT = '?';

/** The key of a name that proves nothing: neither a record nor an entry of somebody's list is matched by it. */
export const doubtfulKey = (key: string): string => `${DOUBT}${key}`;

export const isDoubtfulKey = (key: string): boolean => key.startsWith(DOUBT);

/** The key of a name, whoever says it. */
export const plainKey = (key: string): string => (isDoubtfulKey(key) ? key.slice(DOUBT.length) : key);

const squeeze = (text: string): string => cutAt(text.replaceAll(/[ _]+/g, ''), MAX_KEY_LENGTH);
