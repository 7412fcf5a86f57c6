import { memoize } from '../../lib/memoize.ts';
import { foldText } from '../../lib/search-words.ts';

/** Words of names and addresses that say nothing about which station it is. */
const EMPTY_WORDS = new Set(
  `radio radios fm am dab the la el le les los las de del di da do das der die and und et en of on in to a o y e i
   online live livestream stream streaming streams hd webradio internet internetradio web digital station channel canal
   mp3 aac aacp aacplus ogg opus flac m3u m3u8 pls asx hls http https www com net org info playlist playlists master
   chunklist index listen listener high low mid audio icecast shoutcast icy proxy mount sid tunein main play player
   public media server servers host hosting cast cdn edge relay api redirect livestreamredirect smil external radyo radio rádió
   emisora radioonline autodj default definst manifest direct app tok token session source content track file files format version select mediaset
   vpid fallback winamp links link mobile radioplayer`.split(/\s+/),
);

/** What stations play: a name of these alone is anybody's. */
const GENRE_WORDS =
  `music musik musica musique hits hit mix pop rock jazz blues dance house techno trance classic classics
   classical klassik oldies country news talk sport sports kids christmas chill chillout lounge metal latino latina
   retro best top club party disco soul funk folk gospel worship christian catholic islam quran hindi tamil deutsch
   smooth soft hard urban alternative vintage ambient electronic piano guitar`.split(/\s+/);
const GENRES = new Set(GENRE_WORDS);

/** What many stations of the world play or are called: a proof only where the whole word of an address is that. */
const COMMON_WORDS = new Set(
  `gold love romantica national nacional city stereo super power energy star plus one two sound voice world cultura
   community local region regional nova nueva relax network`
    .split(/\s+/)
    .concat(GENRE_WORDS),
);

const MIN_WORD = 3;
/** Shorter ones are part of too many other words. */
const MIN_PART = 4;
/** As much of what an address tells has to be in the name: `pure-vintage-radio` is not "Pure Radio". */
const MIN_SHARE = 0.6;

const MAX_PREFIX = 4;
/** Fewer letters in common have to be half of the name. */
const MIN_LETTERS = 6;

/** Addresses put all kinds of signs between words. */
const spaced = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
const MAX_REMEMBERED = 20_000;

/** Names and hosts come again and again: remembering their words halves what evidence costs. */
const wordsOf = memoize<readonly string[]>((text) => foldText(text).split(/[ _&+]+/), MAX_REMEMBERED);

const isTelling = (word: string): boolean => word !== '' && !EMPTY_WORDS.has(word);
const squeeze = (text: string): string => wordsOf(text).join('');

/** A name's words that tell it from others, numbers among them: "Radio 1" and "Radio 2" have nothing in common. */
const tellingWords = (name: string): string[] => wordsOf(name).filter(isTelling);

/** Whether two names have a telling word in common, or one is the other with more around it: "JB.FM", "JB FM Rio". */
export function shareWord(one: string, other: string): boolean {
  if (one === other) return true;
  const [words, others] = [tellingWords(one), new Set(tellingWords(other))];
  if (words.some((word) => others.has(word) && (word.length >= MIN_WORD || others.size === 1))) return true;
  const [short = '', long = ''] = [squeeze(one), squeeze(other)].toSorted((a, b) => a.length - b.length);
  if (short.length >= MIN_PART && isTelling(short) && long.includes(short)) return true;
  return words.some((word) => word.length > MIN_PART && squeeze(other).includes(word));
}

/** Whether a name tells a station from others: "Radio Jazz" does not, "Radio 1" and "Jazz FM Cork" do. */
export const isDistinctive = (name: string): boolean => tellingWords(name).some((word) => !GENRES.has(word));

/** What an address tells of its station. */
interface Told {
  /** Words that a person could read, without numbers around them. */
  words: readonly string[];
  /** The words in one: names are run together. */
  text: string;
  host: string;
}

/**
 * The last part of the path that a person could read: `chillout` of `/wdr/1live/chillout/mp3/128/stream.mp3`, since what
 * stands before it is the network. What follows the codec says who listens. Without any such part, the host.
 */
const toldBy = memoize<Told>((address) => {
  const url = URL.parse(address);
  const parts = url ? decoded(url.pathname).split('/') : [];
  const codec = parts.findIndex((part) => CODEC_PART.test(part));
  const last = readable(parts.at(-1) ?? '');
  const isFileNamed = last.length > 0 && FILE.test(parts.at(-1) ?? '');
  const named = codec === -1 || isFileNamed ? parts : parts.slice(0, codec);
  const host = url?.hostname.replace(/\.[a-z]+$/, '') ?? '';
  const words = withoutPrefix(lastReadable(named) ?? readable(host));
  return { words, text: words.join(''), host: squeeze(spaced(host)) };
}, MAX_REMEMBERED);

function lastReadable(parts: readonly string[]): string[] | undefined {
  for (const part of parts.toReversed()) {
    const words = readable(part);
    if (words.length > 0) return words;
  }
  return undefined;
}

const FILE = /\.(?:aacp?|mp3|ogg|opus|m3u8?|pls)$/i;
const CODEC_PART = /^(?:mp3|aacp?|aacplus|ogg|opus|flac)(?:[-_]?(?:\d+|high|low|mid))?$/i;

/** Ids such as `cp13r2cpn3quv` or `a95442` are not words; "538" and "topretro2" may be. */
const READABLE = /^\d*\p{L}{3,}\d*$|^\d{3}$|^\d+\p{L}+$/u;
const STREAM_ENDINGS = /(?:aacp?|mp3|ogg|_?sc|kbps|kbit|\d{2,3}k)$/;

/** `regc-radiobobpunk` and `atsw-tanzbar` begin with what a host calls its customer. */
const withoutPrefix = ([first = '', ...rest]: readonly string[]): readonly string[] =>
  first.length <= MAX_PREFIX && rest.join('').length > MAX_PREFIX + 1 ? rest : [first, ...rest];

const readable = (text: string): string[] =>
  wordsOf(spaced(text))
    .map((word) => word.replace(STREAM_ENDINGS, '').replace(/(?<=\p{L}{3})\d{4,}$/u, '') || word)
    .filter((word) => isTelling(word) && READABLE.test(word));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a word tells one station from others by itself. */
const isOwn = (word: string): boolean =>
  word.length >= MIN_WORD && isTelling(word) && !COMMON_WORDS.has(word);

/** Whether an address speaks of a station of that name: most of what it tells is in the name. */
export function fitsAddress(name: string, address: string): boolean {
  const { words, text, host } = toldBy(address);
  const own = tellingWords(name);
  const [whole, telling] = [squeeze(name), own.join('')];
  if (telling.length >= MIN_PART && text.includes(telling) && telling.length >= MIN_SHARE * text.length)
    return true;
  if (hasCallSign(name, words)) return true;
  const matched = words.map((word) => partIn(word, whole, own));
  const letters = matched.join('').length;
  if (letters < MIN_PART || letters < MIN_SHARE * text.length) return false;
  // `/lounge` is of somebody who plays that, and of "Harbour Lounge" where the server is Harbour's; `/wave` is not "The Wave Castries".
  const isMuch = letters >= MIN_LETTERS || 2 * letters > telling.length;
  return (
    (isMuch && matched.some(isOwn)) ||
    own.some((word) => word.length > MIN_PART && isOwn(word) && host.includes(word))
  );
}

const CALL_SIGN = /(?<![\p{L}\p{N}])[KWCX][A-Z]{2,4}(?![\p{L}\p{N}])/gu;

/** `audacy-knxamaac-imc` is "KNX 1070AM": nobody else of North America has its call sign. */
function hasCallSign(name: string, words: readonly string[]): boolean {
  const signs = name.match(CALL_SIGN) ?? [];
  return signs.some((sign) =>
    words.some(
      (word) => word.startsWith(sign.toLowerCase()) && /^(?:am|fm|hd\d?)?$/.test(word.slice(sign.length)),
    ),
  );
}

/** What of a word of an address is in a name: all of it, or a word of the name that is most of it; '' if nothing. */
function partIn(word: string, whole: string, own: readonly string[]): string {
  const letters = word.replaceAll(/^\d+|\d+$/g, '');
  if (letters.length >= MIN_WORD && whole.includes(letters)) return whole.includes(word) ? word : letters;
  if (whole.includes(word)) return word;
  const part = own.find(
    (each) => each.length >= MIN_PART && word.includes(each) && each.length > MIN_SHARE * word.length,
  );
  return part ?? '';
}

/** Whether a homepage is the one of a station of that name: `n-joy.de` is that of "N-JOY", `laut.fm/chaos` of "Chaos". */
export function fitsHomepage(name: string, homepageHost: string): boolean {
  const [host = '', owner] = homepageHost.split('/');
  const label = owner ?? host.replace(/(?:\.(?:com?|org|net|gov|edu|or|ne|ac|gob|web|in))?\.[a-z]+$/, '');
  const text = squeeze(spaced(label));
  const whole = squeeze(name);
  if (text.length >= MIN_WORD && whole.includes(text)) return true;
  if (whole.length >= MIN_WORD && text.includes(whole)) return true;
  return tellingWords(name).some(
    (word) => word.length >= MIN_PART && !COMMON_WORDS.has(word) && text.includes(word),
  );
}
