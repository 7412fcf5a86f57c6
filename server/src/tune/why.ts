import type { ChosenProfile, ToldBy } from '../devices/choose-profile.ts';
import { SAFE_PROFILE } from '../devices/profiles.ts';
import type { DirectoryStream } from '../directory/snapshot.ts';
import { ALL_FORMATS, formatNames } from '../lib/stream-format.ts';
import type { Verdict } from '../lib/verdict.ts';
import { depthOf, type LeftOutBy, type Ranking } from './choose-streams.ts';
import type { Asked } from './player.ts';

/** What is said for a device, in the order of `ToldBy`. */
export const WHY_THIS_DEVICE: Readonly<Record<ToldBy, string>> = {
  device: 'the call says so with device=',
  partner: 'the operator has set it for this partner',
  partnerId: 'its partnerId is of this kind of device',
  userAgent: 'its User-Agent is of this kind of device',
  serial: 'a device with this serial called by that name before',
  formats: 'its list of formats is of this kind of device',
  nothing: 'nothing in the call says what it is; name one with device=',
};

const WHY_LEFT_OUT: Readonly<Record<LeftOutBy, string>> = {
  format: 'the device does not play this format',
  'unknown-format': 'its format is not known, and the call names formats',
  hls: 'the device does not play HLS, or the call names formats without it',
  tls: 'it is reached by HTTPS, which the device cannot',
  playlist: 'it is a playlist of a kind the device does not read, and where it leads is not known',
  redirect: 'it redirects more often than the device follows, and where it leads is not known',
  'address-too-long': 'its address is longer than the device takes',
  address: 'its address is none that players understand',
};

export const whyLeftOut = (by: LeftOutBy): string => WHY_LEFT_OUT[by];

const WHY_SUNK: Readonly<Record<Verdict, string>> = {
  plays: 'listeners say that it is silent',
  busy: 'it was full when last listened to',
  refused: 'it refused us when last listened to; others may hear it',
  geo: 'it is only for some countries; others may hear it',
  tls: 'its certificate or handshake failed when last listened to',
  codec: 'what it sends is no sound that radios play',
  hls: 'its HLS playlist led nowhere when last listened to',
  dead: 'nothing was heard when last listened to',
};

/** Undefined where nothing speaks against it. */
export function whySunk(stream: DirectoryStream): string | undefined {
  if (depthOf(stream) === 0) return undefined;
  return stream.verdict === undefined ? 'it was silent when last looked at' : WHY_SUNK[stream.verdict];
}

/** In the words of the `formats` parameter, so that whoever wrote the client sees what to add. */
export function incompatible(
  { profile }: ChosenProfile,
  { formats, directOnly }: Pick<Asked, 'formats' | 'directOnly'>,
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
