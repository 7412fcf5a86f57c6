/**
 * Audio formats under the protocol's names. A set of formats is a bit mask, so that "does this station play on this
 * device" is one `&` for each of a hundred thousand stations. Appending is safe, reordering is not.
 */
export const STREAM_FORMATS = [
  'mp3',
  'aac',
  // Only Vorbis in Ogg, no other codec.
  'ogg',
  'hls',
  'wma',
  'flash',
  'real',
  'html',
  'wmpro',
  'wmvoice',
  'wmvideo',
  'qt',
  'flac',
  'opus',
  'wav',
] as const;

export type StreamFormat = (typeof STREAM_FORMATS)[number];
export type FormatMask = number;

export const ALL_FORMATS: FormatMask = (1 << STREAM_FORMATS.length) - 1;

const BITS = new Map<string, FormatMask>(STREAM_FORMATS.map((name, index) => [name, 1 << index]));

export const isStreamFormat = (text: string): text is StreamFormat =>
  STREAM_FORMATS.some((format) => format === text);

export const formatBit = (format: StreamFormat): FormatMask => 1 << STREAM_FORMATS.indexOf(format);

/** `mp3,aac` -> mask. Unknown names are ignored; a list without any known name means every format, like no list. */
export function parseFormats(text: string): FormatMask {
  let mask = 0;
  for (const name of text.toLowerCase().split(',')) mask |= BITS.get(name.trim()) ?? 0;
  return mask === 0 ? ALL_FORMATS : mask;
}

/** The names in a mask, in the order of the list. */
export const formatNames = (mask: FormatMask): StreamFormat[] =>
  STREAM_FORMATS.filter((_name, index) => (mask & (1 << index)) !== 0);

/** The mask as a condition on rows; undefined when every format is accepted, unknown ones included. */
export const onlyFormats = (mask: FormatMask = ALL_FORMATS): FormatMask | undefined =>
  (mask & ALL_FORMATS) === ALL_FORMATS ? undefined : mask;

/** Whether any topic of a show is in one of these formats. */
export const playsShow = ({ formats }: { formats: FormatMask }, mask: FormatMask): boolean =>
  (mask & ALL_FORMATS) === ALL_FORMATS || (formats & mask) !== 0;

/** A topic without a known format counts as MP3, which nearly all are. */
export const topicPlays = ({ format }: { format: string | null }, mask: FormatMask): boolean =>
  (mask & ALL_FORMATS) === ALL_FORMATS || ((BITS.get(format ?? 'mp3') ?? 0) & mask) !== 0;

const WINDOWS_MEDIA = ['wma', 'wmpro', 'wmvoice', 'wmvideo'] as const;

/** Formats by URL scheme, other than HTTP, the most common one first. We never connect to these. */
const FORMATS: Readonly<Record<string, readonly StreamFormat[]>> = {
  'mms:': WINDOWS_MEDIA,
  'mmsh:': WINDOWS_MEDIA,
  'mmst:': WINDOWS_MEDIA,
  'rtsp:': ['real', 'qt', ...WINDOWS_MEDIA],
  'rtmp:': ['flash'],
};

export const STREAM_SCHEMES: readonly string[] = Object.keys(FORMATS);

/** The formats an address can have by its scheme alone; undefined for HTTP, which can carry any. */
export const formatsOfScheme = (address: string): readonly StreamFormat[] | undefined =>
  FORMATS[address.slice(0, address.indexOf(':') + 1).toLowerCase()];
