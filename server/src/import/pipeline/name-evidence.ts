import { foldText } from '../../lib/search-words.ts';

/** Words of names and addresses that say nothing about which station it is. */
const EMPTY_WORDS = new Set(
  `radio radios fm am dab the la el le les los las de del di da do das der die and und et en of on in to a o y e i
   online live livestream stream streaming streams hd webradio internet internetradio web digital station channel canal
   mp3 aac aacp aacplus ogg opus flac m3u m3u8 pls asx hls http https www com net org info playlist playlists master
   chunklist index listen listener high low mid audio icecast shoutcast icy proxy mount sid tunein main play player
   public media server servers host hosting cast cdn edge relay api redirect livestreamredirect smil external radyo rádió
   emisora radioonline autodj default definst manifest direct app tok token session source content track file files`.split(
    /\s+/,
  ),
);

/** What many stations of the world play or are: a proof only where the whole word of an address is that. */
const COMMON_WORDS = new Set(
  `music musik musica musique hits hit mix pop rock jazz blues dance house techno trance classic classics classical
   klassik oldies country news talk sport sports gold love kids christmas chill chillout lounge metal latino latina
   retro best top club party disco soul funk folk gospel worship christian catholic islam quran hindi tamil deutsch
   romantica national nacional city stereo super power energy star plus one two sound voice world cultura community
   local region regional nova nueva smooth relax soft hard urban network alternative vintage ambient electronic piano guitar`.split(
    /\s+/,
  ),
);

const MIN_WORD = 3;
/** Shorter ones are part of too many other words. */
const MIN_PART = 4;
const LONG_WORD = 6;
/** A shorter name may be that of another station somewhere. */
const MIN_WHOLE = 8;

/** Addresses put all kinds of signs between words. */
const spaced = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
const MAX_REMEMBERED = 20_000;
const folded = new Map<string, readonly string[]>();

/** Names and hosts come again and again: remembering their words halves what evidence costs. */
function wordsOf(text: string): readonly string[] {
  const known = folded.get(text);
  if (known) return known;
  if (folded.size >= MAX_REMEMBERED) folded.clear();
  const words = foldText(text).split(/[ _&+]+/);
  folded.set(text, words);
  return words;
}

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

/** A name in another script than addresses are written in cannot be compared with one. */
export const isComparable = (name: string): boolean =>
  wordsOf(name).some((word) => /[a-z]{2}|\d{3}/.test(word));

/** What an address tells of its station. */
interface Told {
  /** That a person could read. */
  words: readonly string[];
  /** All letters and digits in one: names are run together, and numbers put behind them. */
  text: string;
  /** Its parts between signs, without numbers around them. */
  pieces: readonly string[];
}

const remembered = new Map<string, Told>();

/**
 * The last part of the path that a person could read: `chillout` of `/wdr/1live/chillout/mp3/128/stream.mp3`, since what
 * stands before it is the network. What follows the codec says who listens. Without any such part, the host.
 */
function tellingOf(address: string): Told {
  const known = remembered.get(address);
  if (known) return known;
  const url = URL.parse(address);
  const parts = url ? decoded(url.pathname).split('/') : [];
  const codec = parts.findIndex((part) => CODEC_PART.test(part));
  const isFileNamed = FILE.test(parts.at(-1) ?? '') && readable(parts.at(-1) ?? '').length > 0;
  const named = codec === -1 || isFileNamed ? parts : parts.slice(0, codec);
  const last =
    named.findLast((part) => readable(part).length > 0) ??
    [decoded(url?.search ?? '')].find((query) => readable(query).length > 0) ??
    url?.hostname.replace(/\.[a-z]+$/, '') ??
    '';
  const words = readable(last);
  // The network's name is on all its channels: `absolut-relax` of absolutradio.de is "relax".
  const own = words.filter((word) => !url?.hostname.includes(word));
  const isNetwork = own.length > 0 && own.length < words.length;
  const all = isNetwork ? own : wordsOf(spaced(last));
  const pieces = all.map((piece) => piece.replaceAll(/^\d+|\d+$/g, ''));
  const told = { words: isNetwork ? own : words, text: all.join(''), pieces };
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(address, told);
  return told;
}

const FILE = /\.(?:aacp?|mp3|ogg|opus|m3u8?|pls)$/i;
const CODEC_PART = /^(?:mp3|aacp?|aacplus|ogg|opus|flac)(?:[-_]?(?:\d+|high|low|mid))?$/i;

/** Ids such as `cp13r2cpn3quv` or `a95442` are not words; "538", "rsj" and "topretro2" may be. */
const READABLE = /^\d*\p{L}{2,}\d*$|^\d{3}$/u;
const STREAM_ENDINGS = /(?:aacp?|mp3|ogg|_?sc|kbps|kbit|\d{2,3}k)$/;

const readable = (text: string): string[] =>
  wordsOf(spaced(text))
    .map((word) => word.replace(STREAM_ENDINGS, '') || word)
    .filter((word) => isTelling(word) && READABLE.test(word));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether an address speaks of a station of that name: by a word, the whole name without spaces, or its initials. */
export function fitsAddress(name: string, address: string): boolean {
  const told = tellingOf(address);
  const whole = squeeze(name);
  if (whole.length >= MIN_PART && told.text.includes(whole)) return true;
  if (IS_SLUG_HOST.test(address)) return told.text.length >= MIN_PART && whole.includes(told.text);
  const isOther = told.words.some((word) => word.length > LONG_WORD && !whole.includes(word));
  return (
    // Three letters beside a long word are a network's: `dfm-ussuriysk` is not every "DFM".
    leadingWords(name).some((word) => (word.length >= MIN_PART || !isOther) && isIn(word, told)) ||
    told.words.some((word) => isPartOf(word, whole)) ||
    told.words.includes(initialsOf(name))
  );
}

/**
 * Whether an address spells a name out: the whole name, if that is long enough to be nobody else's, or all of several telling
 * words, each as a good part of a word there. Less makes a name likely; this is what joins two that share nothing but name
 * and country.
 */
export function spellsOut(address: string, name: string): boolean {
  const url = URL.parse(address);
  const given = wordsOf(
    spaced(`${url?.hostname ?? ''} ${decoded(url?.pathname ?? '')} ${url?.search ?? ''}`),
  );
  const [text, whole] = [given.join(''), squeeze(name)];
  if (whole.length >= MIN_WHOLE && text.includes(whole)) return true;
  const words = tellingWords(name).filter((word) => !/^[\d.]+$/.test(word));
  if (words.length < 2 || words.join('').length < MIN_WHOLE) return false;
  return words.every((word) =>
    given.some((piece) => piece.includes(word) && word.length >= 0.4 * piece.replaceAll(/\d+$/g, '').length),
  );
}

/** Where strangers have a station each, the address has the whole name: a word in common is chance. */
const IS_SLUG_HOST = /^https?:\/\/(?:[\w-]+\.)*laut\.fm\//;

/** Words that stand for the name: the first two, a call sign, and any that is a third of it. */
function leadingWords(name: string): string[] {
  const words = tellingWords(name);
  const letters = words.join('').length;
  return words.filter(
    (word, index) => index < 2 || 3 * word.length >= letters || /^[kwcx][a-z]{3}$/.test(word),
  );
}

function isIn(word: string, { words, pieces }: Told): boolean {
  if (word.length < MIN_WORD) return false;
  if (words.includes(word)) return true;
  if (COMMON_WORDS.has(word)) return false;
  // `bass` is not in `bassdrive`, nor `deluxe` in `nightbeatsdeluxe`: they are names of others.
  const share = word.length < LONG_WORD ? 0.6 : 0.4;
  return pieces.some((piece) => piece.includes(word) && word.length >= share * piece.length);
}

/** `kexp` is in "KEXP 90.3 FM", `europaplus` in "Europa Plus Moscow". */
function isPartOf(word: string, whole: string): boolean {
  const letters = word.replace(/^\d+|\d+$/g, '');
  if (letters.length < MIN_PART || COMMON_WORDS.has(letters) || EMPTY_WORDS.has(letters)) return false;
  return whole.startsWith(letters) || (3 * letters.length >= whole.length && whole.includes(letters));
}

/** "Radio Swiss Jazz" plays at `/rsj`, "BBC Radio 2" at `/br2`. */
function initialsOf(name: string): string {
  const initials = wordsOf(name).map((word) => (/^\d+$/.test(word) ? word : word.slice(0, 1)));
  return initials.length >= MIN_WORD ? initials.join('') : '-';
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
