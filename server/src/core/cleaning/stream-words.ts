/**
 * Names of records often say how a stream sounds: "WDR 2 | mp3 - 128 kBit/s", "NDR Info (HTTPS AAC)", "KINK 192k MP3".
 * A listener calls the station without it. Such words go where they stand apart: in brackets of their own, as a part
 * between dashes or bars, or at the end. Inside a name they stay ("HQ with Jack Webb"), as do words that are also names
 * or genres ("LRT Opus", "Relax Lo-Fi", "Tambo Stereo"), a channel of HD Radio ("WMNF HD-2"), and whatever would leave
 * nothing but "Radio" or "FM".
 */

const PER_SECOND = String.raw`(?: ?\/ ?s(?:ec)?)?`;
/** Of streams; other numbers before a bare "k" are names. */
const RATES = '16|20|24|32|40|48|56|64|72|80|96|112|128|144|160|192|224|256|320';
const RATE = String.raw`\d{2,4} ?[km]b(?:ps|pts|its?|s)?${PER_SECOND}|(?:${RATES}) ?k${PER_SECOND}`;
/** With a number of kilobits or not: "AAC 64", "AAC192LC", "HE-AAC v2", "FLAC+meta". */
const CODEC = String.raw`(?:mp3|mpeg|(?:he-?|e)?aac(?:-lc|-he| ?plus|p)?|ogg|vorbis|flac|hls|m3u8?)(?:_[hml]|\+meta|[+#]| ?v[12])?(?:[ @-]?\d{2,4}(?:lc)?(?! ?[km]b| ?k\b))?`;
/** Words that are names too, unless a rate says what they are here. */
const CODEC_WITH_RATE = String.raw`(?:opus|acc)\+?[ @-]?(?:${RATE}|(?:${RATES}))`;
const QUALITY = String.raw`u?hq|lq|hi-?res|lossless|hd(?![ -]?\d|[ -]radio)|(?:very )?(?:high|hi|lower|low|mid|medium|best|adaptive)[ -](?:quality|bitrate|bandwidth)|low|(?:hohe|beste|mittlere|niedrige) qualität|(?:høy|lav) kvalitet|(?:alta|baja) calidad|calidad (?:alta|baja|móvil)`;
const PROTOCOL = String.raw`(?:(?:not?|non|un)[ -]?)?(?:https?(?!:)|ssl)|icecast|shoutcast`;
const ABOUT_STREAM = `(?:${CODEC_WITH_RATE}|${RATE}|${CODEC}|${QUALITY}|${PROTOCOL})`;

const BEFORE = String.raw`(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}])`;
/** Not before a decimal point: "MP3 90.5" names a frequency. */
const AFTER = String.raw`(?![\p{L}\p{N}]|[.,]\d)`;
const term = (words: string): RegExp => new RegExp(`${BEFORE}(?:${words})${AFTER}`, 'giu');

const STREAM_TERM = term(ABOUT_STREAM);
/** Only what stands in brackets: "(low)", "[Opus]", "(official stream)", "(290k HLS)". */
const NOTE_TERM = term(
  String.raw`low|high|mid|opus|pls|lo-?fi|hi-?fi|backup|mirror|\d{2,4} ?k|(?:(?:official|new|live|mobile|alt(?:ernat(?:e|ive))?|non-?hls) ?)?stream(?: ?\d| alternativo)?`,
);
/** Only as a whole part of a name: "Radio Teddy - Livestream". */
const PART_TERM = term('livestream|live stream|neuer stream|with metadata');
/** What may stand beside such terms without being one. */
const BESIDE = term(
  String.raw`\d{1,4}|\d(?:st|nd|rd) server|\d{2} ?khz|streams?|livestream|live|link|deeplink|only|audio|official|new|format|mono|stereo|plus|opus|pls|hi|hi-?fi|lo-?fi|mobile|radio|low|high|alta|baja|v\d|acc|rw|sd|[vc]br|no ?ads|(?:smart |with )?metadata|(?:non)?uk|us|eu|de|fr|akamai`,
);

/** A cheap first test: most names contain none of these. */
const MAY_HAVE =
  /\d ?k|mp3|mpeg|aac|acc|ogg|vorbis|opus|flac|hls|m3u|pls|[hl]q|hd|hi-?res|http|ssl|cast|loss|low|high|qual|bitr|bandw|calidad|stream|fi\b|backup|mirror/i;

const BRACKETS = /[([{<]([^()[\]{}<>]{1,60})[)\]}>]/g;
/** Between the parts of a name. */
const SEPARATOR = /(\s+[-–—|•·/]+\s+|\s*\|\s*|\s*--+\s*|[.,]\s+)/;

/** The name without words about its stream; the name itself if nothing else would remain. */
export function withoutStreamWords(name: string): string {
  if (!MAY_HAVE.test(name)) return name;
  const outside = name.replaceAll(BRACKETS, (whole, inside: string) =>
    isAbout(inside, STREAM_TERM, NOTE_TERM) ? ' ' : whole,
  );
  const rest = withoutEnd(withoutParts(outside));
  if (rest === name || !isNameItself(rest)) return name;
  return rest
    .replaceAll(/ {2,}/g, ' ')
    .replace(/(?:[ @#]| \.)+$/, '')
    .replaceAll(/ (?=[,;.)\]](?: |$))/g, '');
}

/** Whether a text says something about a stream, and nothing else. */
function isAbout(text: string, ...terms: RegExp[]): boolean {
  const others = terms.reduce((left, some) => left.replaceAll(some, ' '), text);
  return others !== text && !/[\p{L}\p{N}]/u.test(others.replaceAll(BESIDE, ' '));
}

function withoutParts(name: string): string {
  const pieces = name.split(SEPARATOR);
  if (pieces.length === 1) return name;
  let kept = '';
  for (let at = 0; at < pieces.length; at += 2) {
    const part = pieces[at]!;
    // A bracket that is open here would lose its other half.
    if (part !== '' && !/[()[\]{}<>]/.test(part) && isAbout(part, STREAM_TERM, PART_TERM)) continue;
    kept += kept === '' ? part : `${pieces[at - 1]!}${part}`;
  }
  return kept;
}

/** Longer than any term. */
const MAX_TERM = 40;
const MAX_TERMS = 8;
const LAST_TERM = new RegExp(`${BEFORE}(?:${ABOUT_STREAM})[^\\p{L}\\p{N})\\]]*$`, 'iu');
const LAST_BESIDE = new RegExp(
  `${BEFORE}(?:streams?|mono|stereo|surround|plus|opus|acc|lo-?fi|hi-?fi|with metadata)[^\\p{L}\\p{N})\\]]*$`,
  'iu',
);

/** Up to the first of the terms at the end; what stands beside them counts only behind one. */
function withoutEnd(name: string): string {
  let end = name.length;
  let seen = name.length;
  for (let count = 0; count < MAX_TERMS && seen > 0; count += 1) {
    const from = Math.max(0, seen - MAX_TERM);
    const tail = name.slice(from, seen);
    const last = LAST_TERM.exec(tail);
    const found = last ?? LAST_BESIDE.exec(tail);
    if (!found) break;
    seen = from + found.index;
    if (last) end = seen;
  }
  return name.slice(0, end);
}

/** Words that alone name nobody. */
const COMMON = new Set([
  'radio',
  'radyo',
  'rádio',
  'fm',
  'am',
  'the',
  'live',
  'stream',
  'online',
  'web',
  'music',
]);

const isNameItself = (text: string): boolean =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).some((word) => !COMMON.has(word));
