import { LIKELY_TO_PLAY } from '../catalog/reliability.ts';
import type { DirectoryStream } from '../directory/snapshot.ts';
import { formatBit, type StreamFormat } from '../lib/stream-format.ts';
import type { Verdict } from '../lib/verdict.ts';
import { finalAddress, isPlain, isPlaylist, isSecure, playAddress } from './play-address.ts';
import type { Player } from './player.ts';

/** Why a device is not given a stream. */
export type LeftOutBy =
  | 'format'
  | 'unknown-format'
  | 'hls'
  | 'tls'
  | 'playlist'
  | 'redirect'
  | 'address-too-long'
  | 'address';

export interface Ranking {
  /** The one to try first at the front. */
  readonly chosen: readonly DirectoryStream[];
  readonly leftOut: readonly { readonly stream: DirectoryStream; readonly by: LeftOutBy }[];
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

/** What was heard last sinks a stream so deep; others than us may hear what refused us, and nobody what is dead. */
const DEPTHS: Readonly<Record<Verdict, number>> = {
  plays: 0,
  busy: 1,
  refused: 2,
  geo: 2,
  tls: 2,
  codec: 3,
  hls: 3,
  dead: 3,
};

/**
 * The streams a device can play, the one to try first at the front, and why it is not given the others. Those that were
 * silent when last listened to come after all others, and are never held back: they may play for whoever asks. Apart from
 * that what is compatible comes before what is reliable, and that before what is rich. Compatible means the format, and
 * to old devices an address without TLS and without a playlist in between. A stream of unknown format is given only to a
 * device that names none.
 */
export function chooseStreams(streams: readonly DirectoryStream[], player: Player): Ranking {
  const chosen: DirectoryStream[] = [];
  const leftOut: { stream: DirectoryStream; by: LeftOutBy }[] = [];
  for (const stream of streams) {
    const by = leftOutBy(stream, player);
    if (by === undefined) chosen.push(stream);
    else leftOut.push({ stream, by });
  }
  if (chosen.length > 1) chosen.sort((a, b) => compare(a, b, player));
  return { chosen, leftOut };
}

function leftOutBy(stream: DirectoryStream, player: Player): LeftOutBy | undefined {
  const { format } = stream;
  if (format === undefined ? !player.takesAll : (formatBit(format) & player.formats) === 0)
    return format === 'hls' ? 'hls' : format === undefined ? 'unknown-format' : 'format';
  if (isPlaylist(stream) && !player.playlists.includes(stream.playlist ?? '')) return 'playlist';
  const address = playAddress(stream, player);
  if (player.tls === 'none' && (isSecure(address) || isSecure(finalAddress(stream)))) return 'tls';
  if (stream.redirects > player.redirects && address === stream.address) return 'redirect';
  if (address.length > player.maxAddressLength) return 'address-too-long';
  return isPlain(address) ? undefined : 'address';
}

const compare = (a: DirectoryStream, b: DirectoryStream, player: Player): number =>
  depthOf(a) - depthOf(b) ||
  (player.safestFirst ? risk(a) - risk(b) : 0) ||
  trouble(a, player) - trouble(b, player) ||
  b.reliability - a.reliability ||
  b.bitrate - a.bitrate ||
  a.id - b.id;

/** 0 for what plays, as far as is known. */
export const depthOf = ({ verdict, reliability }: DirectoryStream): number =>
  Math.max(verdict === undefined ? 0 : DEPTHS[verdict], Number(reliability < LIKELY_TO_PLAY));

/** 0 is safest. */
function risk({ format }: DirectoryStream): number {
  const place = SAFE_FIRST.indexOf(format);
  return place === -1 ? SAFE_FIRST.length : place;
}

/** What a device may stumble over on the way to the sound. */
function trouble(stream: DirectoryStream, player: Player): number {
  const direct = Number(isPlaylist(stream));
  if (player.tls !== 'old' && !player.secureFirst) return direct;
  return direct + Number(isSecure(playAddress(stream, player)) !== player.secureFirst);
}
