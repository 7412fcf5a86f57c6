/**
 * What a stream sounds like to a radio, as the protocol names it. A set of formats is a bit mask, so that "does this
 * station play on this device" is one `&` for each of a hundred thousand stations. Appending is safe, reordering is not.
 */
export const STREAM_FORMATS = [
  'mp3',
  'aac',
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
// A player that names Ogg is handed Opus too: both travel in an Ogg container, and no device in use names Opus itself.
BITS.set('ogg', (BITS.get('ogg') ?? 0) | (BITS.get('opus') ?? 0));

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
