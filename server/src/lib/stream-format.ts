/**
 * What a stream sounds like to a radio, as the protocol names it. A set of formats is a bit mask, so that "does this
 * station play on this device" is one `&` for each of a hundred thousand stations. Appending is safe, reordering is not.
 */
export const STREAM_FORMATS = [
  'mp3',
  'aac',
  // Vorbis in Ogg, and nothing else that Ogg can hold.
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

/** `mp3,aac` -> mask. Unknown names are ignored; a list without any known name is the same as no list: everything. */
export function parseFormats(text: string): FormatMask {
  let mask = 0;
  for (const name of text.toLowerCase().split(',')) mask |= BITS.get(name.trim()) ?? 0;
  return mask === 0 ? ALL_FORMATS : mask;
}

/** The names in a mask, in the order above. */
export const formatNames = (mask: FormatMask): StreamFormat[] =>
  STREAM_FORMATS.filter((_name, index) => (mask & (1 << index)) !== 0);

/** The same as a condition on rows: undefined where every format will do, also one that nobody knows. */
export const onlyFormats = (mask: FormatMask = ALL_FORMATS): FormatMask | undefined =>
  (mask & ALL_FORMATS) === ALL_FORMATS ? undefined : mask;

/** Whether something of a show can be played by who takes these. */
export const playsShow = ({ formats }: { formats: FormatMask }, mask: FormatMask): boolean =>
  (mask & ALL_FORMATS) === ALL_FORMATS || (formats & mask) !== 0;

/** Nearly all sound that a feed gives no format for is MP3. */
export const topicPlays = ({ format }: { format: string | null }, mask: FormatMask): boolean =>
  (mask & ALL_FORMATS) === ALL_FORMATS || ((BITS.get(format ?? 'mp3') ?? 0) & mask) !== 0;
