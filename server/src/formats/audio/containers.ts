import { parseBuffer } from 'music-metadata';
import type { StreamFormat } from '../../lib/stream-format.ts';
import { cleanSongText } from '../song-text.ts';
import type { Audio } from './frames.ts';
import { oggAudio, opusBitrate } from './ogg.ts';

const WEBM = '\x1a\x45\xdf\xa3';
/** How containers begin, as Latin-1. */
const BEGINNINGS = ['OggS', 'fLaC', 'RIFF', '\x30\x26\xb2\x75', WEBM, 'FLV\x01', '.RMF', '.ra\xfd'];
const BOX_BEGINNINGS = new Set(['ftyp', 'styp', 'moov', 'moof', 'sidx', 'emsg']);
/** Formats that music-metadata does not know, identified by their first bytes alone. */
const KNOWN: readonly [beginning: string, audio: Audio][] = [
  ['FLV\x01', { format: 'flash', codec: 'unknown', container: 'FLV' }],
  ['.RMF', { format: 'real', codec: 'RealAudio', container: 'RealMedia' }],
  ['.ra\xfd', { format: 'real', codec: 'RealAudio', container: 'RealAudio' }],
];
const CODECS: readonly [named: RegExp, format: StreamFormat, codec?: string][] = [
  [/opus/i, 'opus', 'Opus'],
  [/vorbis/i, 'ogg', 'Vorbis'],
  [/flac/i, 'flac', 'FLAC'],
  [/speex/i, 'ogg', 'Speex'],
  [/aac|mp4a/i, 'aac', 'AAC'],
  [/mpeg.*layer|mp3/i, 'mp3'],
  [/windows media|wma/i, 'wma'],
  [/pcm|wav/i, 'wav'],
];
/** Their headers have no bitrate, and one computed from the size of a fragment is wrong. */
const NO_BITRATE = new Set(['FLAC', 'MP4']);

export function isContainer(bytes: Buffer): boolean {
  const begins = bytes.toString('latin1', 0, 4);
  return BEGINNINGS.includes(begins) || BOX_BEGINNINGS.has(bytes.toString('latin1', 4, 8));
}

/**
 * Common Ogg codecs, FLAC and WebM are parsed here; everything else by music-metadata: 0.2 to 0.6 ms for 32 KiB of
 * ASF.
 */
export async function identifyContainer(bytes: Buffer): Promise<Audio | undefined> {
  const begins = bytes.toString('latin1', 0, 4);
  const known = KNOWN.find(([beginning]) => beginning === begins)?.[1];
  if (known) return known;
  const radio = begins === 'OggS' ? oggAudio(bytes) : undefined;
  if (radio) return radio;
  if (begins === WEBM) return webmAudio(bytes);
  if (begins === 'fLaC') return flacAudio(bytes);
  // If FLAC in Ogg was not recognised above, music-metadata cannot read it either.
  if (begins === 'OggS' && bytes.includes('\x7fFLAC', 0, 'latin1')) return undefined;
  const isBoxes = BOX_BEGINNINGS.has(bytes.toString('latin1', 4, 8));
  try {
    const head = isBoxes ? initialBoxes(bytes) : bytes;
    const { format } = await parseBuffer(head, undefined, {
      skipPostHeaders: true,
      duration: false,
      skipCovers: true,
    });
    const audio = audioOf({ ...format, container: isBoxes ? 'MP4' : format.container });
    return audio?.format === 'opus' && begins === 'OggS' ? withOpusBitrate(audio, bytes) : audio;
  } catch {
    // It throws all kinds of errors for unknown input.
    return undefined;
  }
}

/** Only the initial boxes: music-metadata fails on the audio, which is cut off somewhere. */
const initialBoxes = (bytes: Buffer): Buffer =>
  Buffer.concat(
    boxesOf(bytes).flatMap(({ type, whole }) => (type === 'ftyp' || type === 'moov' ? [whole] : [])),
  );

/** No header has it, and music-metadata divides bytes by an unrelated time: 15 instead of 48 kbit/s in 8,000 bytes. */
function withOpusBitrate({ bitrate: _guess, ...audio }: Audio, bytes: Buffer): Audio {
  const bitrate = opusBitrate(bytes);
  return bitrate === undefined ? audio : { ...audio, bitrate };
}

interface AudioFacts {
  container?: string | undefined;
  codec?: string | undefined;
  bitrate?: number | undefined;
  sampleRate?: number | undefined;
  numberOfChannels?: number | undefined;
}

function audioOf({
  container = '',
  codec = '',
  bitrate,
  sampleRate,
  numberOfChannels,
}: AudioFacts): Audio | undefined {
  const known = CODECS.find(([named]) => named.test(codec));
  if (!known) return undefined;
  const [, format, name = cleanSongText(codec)] = known;
  return {
    format,
    codec: name,
    container: cleanSongText(container),
    ...(isNumber(bitrate) && !NO_BITRATE.has(container) ? { bitrate: Math.round(bitrate / 1000) } : {}),
    ...(isNumber(sampleRate) ? { sampleRate } : {}),
    ...(isNumber(numberOfChannels) ? { channels: numberOfChannels } : {}),
  };
}

const MAX = 10_000_000;
const isNumber = (value: number | undefined): value is number =>
  value !== undefined && value > 0 && value <= MAX;

const BLOCK_HEADER = 4;
const STREAM_INFO_BYTES = 34;
/** In the STREAMINFO block: after the sizes of blocks and frames. */
const RATES_AT = 10;

/**
 * Reads the first block of FLAC. Not by music-metadata: it allocates as many comments as a file claims to have, and a
 * few kilobytes that claim thirty million cost 256 MB.
 */
function flacAudio(bytes: Buffer): Audio | undefined {
  const info = bytes.subarray(4 + BLOCK_HEADER, 4 + BLOCK_HEADER + STREAM_INFO_BYTES);
  const isInfo = ((bytes[4] ?? 0xff) & 0x7f) === 0;
  if (!isInfo || info.length < STREAM_INFO_BYTES) return undefined;
  const rates = info.readUInt32BE(RATES_AT);
  const sampleRate = rates >>> 12;
  if (sampleRate === 0) return undefined;
  return {
    format: 'flac',
    codec: 'FLAC',
    container: 'FLAC',
    sampleRate,
    channels: ((rates >>> 9) & 7) + 1,
  };
}

const WEBM_CODECS: readonly [id: string, format: StreamFormat, codec: string][] = [
  ['A_OPUS', 'opus', 'Opus'],
  ['A_VORBIS', 'ogg', 'Vorbis'],
  ['A_AAC', 'aac', 'AAC'],
  ['A_MPEG/L3', 'mp3', 'MPEG 1 Layer 3'],
  ['A_FLAC', 'flac', 'FLAC'],
];
/** The tracks are described before any audio. */
const HEAD_BYTES = 4096;
/** A track's codec and its audio settings are close together. */
const TRACK_BYTES = 256;
/** The elements of the sample rate, as eight or four bytes, and of the channels, as one. */
const RATE_8 = Buffer.from([0xb5, 0x88]);
const RATE_4 = Buffer.from([0xb5, 0x84]);
const CHANNELS = Buffer.from([0x9f, 0x81]);

/**
 * The codec of a WebM, by the names in its header. music-metadata walks its elements and once took 377 ms of CPU over
 * 33 KB of damaged ones; here none is followed.
 */
function webmAudio(bytes: Buffer): Audio | undefined {
  const head = bytes.subarray(0, HEAD_BYTES);
  const [found] = WEBM_CODECS.map(([id, format, codec]) => ({ at: head.indexOf(id), format, codec })).filter(
    ({ at }) => at !== -1,
  );
  if (!found) return undefined;
  const track = bytes.subarray(Math.max(0, found.at - TRACK_BYTES), found.at + TRACK_BYTES);
  const { format, codec } = found;
  return { format, codec, container: 'EBML/webm', ...rateOf(track), ...channelsOf(track) };
}

function rateOf(track: Buffer): { sampleRate?: number } {
  const [long, short] = [track.indexOf(RATE_8), track.indexOf(RATE_4)];
  const isLong = long !== -1 && long + 10 <= track.length;
  const isShort = short !== -1 && short + 6 <= track.length;
  const sampleRate = isLong ? track.readDoubleBE(long + 2) : isShort ? track.readFloatBE(short + 2) : 0;
  return sampleRate >= 8000 && sampleRate <= 192_000 ? { sampleRate } : {};
}

function channelsOf(track: Buffer): { channels?: number } {
  const at = track.indexOf(CHANNELS);
  const channels = at === -1 ? 0 : (track[at + 2] ?? 0);
  return channels >= 1 && channels <= 8 ? { channels } : {};
}

/** One top-level box of MP4. */
interface Box {
  type: string;
  /** Including the header with its length and type. */
  whole: Buffer;
  content: Buffer;
}

const MAX_BOXES = 200;
const HEADER = 8;

/** The complete boxes; one longer than a segment is not counted. */
export function boxesOf(bytes: Buffer, most = MAX_BOXES): Box[] {
  const boxes: Box[] = [];
  let at = 0;
  while (at + HEADER <= bytes.length && boxes.length < most) {
    const length = bytes.readUInt32BE(at);
    if (length < HEADER || at + length > bytes.length) break;
    const whole = bytes.subarray(at, at + length);
    boxes.push({ type: whole.toString('latin1', 4, HEADER), whole, content: whole.subarray(HEADER) });
    at += length;
  }
  return boxes;
}
