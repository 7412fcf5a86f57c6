import type { Verdict } from '../../lib/failure-code.ts';
import { ALL_FORMATS, formatBit, formatNames, type StreamFormat } from '../../lib/stream-format.ts';
import { LIKELY_TO_PLAY } from '../../storage/catalog/streams/reliability.ts';
import { type ChosenProfile, SAFE_PROFILE, type ProfileSource } from '../devices/profiles.ts';
import type { DirectoryStream } from '../directory/snapshot/snapshot.ts';
import {
  type StreamRequest,
  finalAddress,
  isDull,
  isPlain,
  isPlaylist,
  isSecure,
  playAddress,
  type Player,
} from './player.ts';

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
  /** The one to try first comes first. */
  readonly chosen: readonly DirectoryStream[];
  readonly leftOut: readonly { readonly stream: DirectoryStream; readonly by: LeftOutBy }[];
}

/**
 * A radio that names no formats is old: it plays MP3, then AAC, and the rest by luck, HLS least of all. A stream of
 * unknown format is usually one of the first two.
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

/** How far the last verdict moves a stream down; one that refused us may play for others, a dead one for nobody. */
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
 * Ranks the streams a device can play, the one to try first at the front, and says why it does not get the others.
 * Streams that were silent at the last probe come after all others but are never withheld: they may play for this
 * caller. Otherwise compatible comes before reliable, and reliable before high bitrate. Compatible means the format,
 * and for old devices an address without TLS and without a playlist in between. A stream of unknown format is given
 * only to a device that names no formats.
 */
export function chooseStreams(streams: readonly DirectoryStream[], player: Player): Ranking {
  const chosen: DirectoryStream[] = [];
  const leftOut: { stream: DirectoryStream; by: LeftOutBy }[] = [];
  for (const stream of streams) {
    const by = leftOutBy(stream, player);
    if (by === undefined) chosen.push(stream);
    else leftOut.push({ stream, by });
  }
  if (chosen.length > 1) chosen.sort((a, b) => byPreference(a, b, player));
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

/** The one to try first comes first. */
export const byPreference = (a: DirectoryStream, b: DirectoryStream, player: Player): number =>
  depthOf(a) - depthOf(b) ||
  Number(isDull(a, player)) - Number(isDull(b, player)) ||
  (player.safestFirst ? risk(a) - risk(b) : 0) ||
  trouble(a, player) - trouble(b, player) ||
  b.reliability - a.reliability ||
  b.bitrate - a.bitrate ||
  a.id - b.id;

/** 0 for a stream that plays, as far as known. */
const depthOf = ({ verdict, reliability }: DirectoryStream): number =>
  Math.max(verdict === undefined ? 0 : DEPTHS[verdict], Number(reliability < LIKELY_TO_PLAY));

/** Whether it plays, as far as known. */
export const isHeard = (stream: DirectoryStream): boolean => depthOf(stream) === 0;

/** 0 is safest. */
function risk({ format }: DirectoryStream): number {
  const place = SAFE_FIRST.indexOf(format);
  return place === -1 ? SAFE_FIRST.length : place;
}

/** Counts obstacles for this device between the address and the audio. */
function trouble(stream: DirectoryStream, player: Player): number {
  const direct = Number(isPlaylist(stream));
  if (player.tls !== 'old' && !player.secureFirst) return direct;
  return direct + Number(isSecure(playAddress(stream, player)) !== player.secureFirst);
}

/** How we know the device's profile, as text. */
export const WHY_THIS_DEVICE: Readonly<Record<ProfileSource, string>> = {
  device: 'the call names it with device=',
  partner: 'the operator has set it for this partner',
  partnerId: 'its partnerId belongs to this kind of device',
  userAgent: 'its User-Agent matches this kind of device',
  serial: 'a device with this serial identified itself this way before',
  formats: 'its list of formats matches this kind of device',
  nothing: 'nothing in the call identifies the device; name one with device=',
};

const WHY_LEFT_OUT: Readonly<Record<LeftOutBy, string>> = {
  format: 'the device does not play this format',
  'unknown-format': 'its format is unknown, and the call names formats',
  hls: 'the device does not play HLS, or the call names formats without it',
  tls: 'it needs HTTPS, which the device does not support',
  playlist: 'it is a kind of playlist the device cannot read, and its target is unknown',
  redirect: 'it redirects more often than the device follows, and its target is unknown',
  'address-too-long': 'its address is longer than the device accepts',
  address: 'players do not understand its address',
};

export const whyLeftOut = (by: LeftOutBy): string => WHY_LEFT_OUT[by];

const WHY_SUNK: Readonly<Record<Verdict, string>> = {
  plays: 'listeners report that it is silent',
  busy: 'it was full at the last check',
  refused: 'it refused us at the last check; others may hear it',
  geo: 'it is limited to some countries; others may hear it',
  tls: 'its certificate or handshake failed at the last check',
  codec: 'it does not send audio that radios can play',
  hls: 'its HLS playlist led nowhere at the last check',
  dead: 'nothing was heard at the last check',
};

/** Undefined if nothing is wrong with it. */
export function whySunk(stream: DirectoryStream): string | undefined {
  if (depthOf(stream) === 0) return undefined;
  return stream.verdict === undefined ? 'it was silent at the last check' : WHY_SUNK[stream.verdict];
}

/** Uses the values of the `formats` parameter, so that the client's developer sees what to add. */
export function incompatible(
  { profile }: ChosenProfile,
  { formats, directOnly }: Pick<StreamRequest, 'formats' | 'directOnly'>,
  { leftOut }: Ranking,
): string {
  const offered = [...new Set(leftOut.map(({ stream }) => stream.format ?? 'unknown'))].join(',');
  const asked = formats === ALL_FORMATS ? 'any format' : `formats=${formatNames(formats).join(',')}`;
  const direct = directOnly ? ' without playlists' : '';
  const said = `No stream for ${asked}${direct}; there is ${offered}`;
  if (profile === SAFE_PROFILE) return said;
  const reasons = [...new Set(leftOut.map(({ by }) => whyLeftOut(by)))].join('; ');
  return `No stream for ${profile.name}: ${reasons}. ${said}`;
}
