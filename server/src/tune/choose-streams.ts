import type { DirectoryStream } from '../directory/snapshot.ts';
import { ALL_FORMATS, formatBit, type FormatMask } from '../lib/stream-format.ts';

/** A radio that says nothing of formats is old, and old radios play MP3, then AAC, and the rest by luck. */
const SAFE_FIRST = ['mp3', 'aac'];

/**
 * The streams a device can play, the one to try first at the front. What is compatible comes before what is reliable,
 * and that before what is rich; of two alike, the plain direct one goes first, since most old devices know no TLS and
 * some no playlist. A stream of unknown format is given only to a device that takes everything.
 */
export function chooseStreams(streams: readonly DirectoryStream[], formats: FormatMask): DirectoryStream[] {
  const takesAll = (formats & ALL_FORMATS) === ALL_FORMATS;
  const playable = streams.filter(({ format }) =>
    format === undefined ? takesAll : (formatBit(format) & formats) !== 0,
  );
  return playable.toSorted(
    (a, b) =>
      (takesAll ? safety(a) - safety(b) : 0) ||
      b.reliability - a.reliability ||
      trouble(a) - trouble(b) ||
      b.bitrate - a.bitrate ||
      a.id - b.id,
  );
}

/** 0 is safest. */
function safety({ format }: DirectoryStream): number {
  const place = SAFE_FIRST.indexOf(format ?? '');
  return place === -1 ? SAFE_FIRST.length : place;
}

/** What an old device may stumble over on the way to the sound. */
const trouble = (stream: DirectoryStream): number =>
  Number(isPlaylist(stream)) + Number(playAddress(stream).startsWith('https:'));

/** Where to send a player: past the playlist when it is known where that leads. */
export const playAddress = ({ address, playlist, resolvedAddress }: DirectoryStream): string =>
  playlist !== undefined && resolvedAddress !== undefined ? resolvedAddress : address;

export const isPlaylist = ({ playlist, resolvedAddress }: DirectoryStream): boolean =>
  playlist !== undefined && resolvedAddress === undefined;
