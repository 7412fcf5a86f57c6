import type { DirectoryStream } from '../directory/snapshot.ts';
import { ALL_FORMATS, formatBit, type FormatMask, type StreamFormat } from '../lib/stream-format.ts';

/** What is known of the device that will play. */
export interface Player {
  formats: FormatMask;
  /** It called by HTTPS. One that called by HTTP may know TLS too, but most old radios do not. */
  knowsTls: boolean;
  /** It reads no playlists behind the one it is given. */
  directOnly: boolean;
}

/**
 * A radio that says nothing of formats is old: it plays MP3, then AAC, and the rest by luck, HLS least of all. A stream
 * of unknown format is mostly one of the first two.
 */
const SAFE_FIRST: readonly (StreamFormat | undefined)[] = [
  'mp3',
  'aac',
  'ogg',
  'opus',
  'flac',
  'wav',
  'wma',
  undefined,
  'hls',
];

/** Below this the last look at a stream found it silent. */
const LIKELY_TO_PLAY = 50;

/**
 * The streams a device can play, the one to try first at the front. Those that were silent when last looked at come
 * after all others; apart from that what is compatible comes before what is reliable, and that before what is rich.
 * Compatible means the format, and to old devices an address without TLS and without a playlist in between. A stream
 * of unknown format is given only to a device that takes everything, HLS only to that and to one that names it.
 */
export function chooseStreams(streams: readonly DirectoryStream[], player: Player): DirectoryStream[] {
  const takesAll = (player.formats & ALL_FORMATS) === ALL_FORMATS;
  const canPlay = (stream: DirectoryStream): boolean =>
    (stream.format === undefined ? takesAll : (formatBit(stream.format) & player.formats) !== 0) &&
    !(player.directOnly && isPlaylist(stream));
  return streams
    .filter(canPlay)
    .toSorted(
      (a, b) =>
        silence(a) - silence(b) ||
        (takesAll ? risk(a) - risk(b) : 0) ||
        trouble(a, player) - trouble(b, player) ||
        b.reliability - a.reliability ||
        b.bitrate - a.bitrate ||
        a.id - b.id,
    );
}

const silence = ({ reliability }: DirectoryStream): number => Number(reliability < LIKELY_TO_PLAY);

/** 0 is safest. */
function risk({ format }: DirectoryStream): number {
  const place = SAFE_FIRST.indexOf(format);
  return place === -1 ? SAFE_FIRST.length : place;
}

/** What an old device may stumble over on the way to the sound. */
const trouble = (stream: DirectoryStream, { knowsTls }: Player): number =>
  Number(isPlaylist(stream)) + Number(!knowsTls && playAddress(stream).startsWith('https:'));

/** Where to send a player: past the playlist when it is known where that leads. */
export const playAddress = ({ address, playlist, resolvedAddress }: DirectoryStream): string =>
  playlist !== undefined && resolvedAddress !== undefined ? resolvedAddress : address;

export const isPlaylist = ({ playlist, resolvedAddress }: DirectoryStream): boolean =>
  playlist !== undefined && resolvedAddress === undefined;
