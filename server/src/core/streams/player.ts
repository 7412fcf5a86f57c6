import { ALL_FORMATS, type FormatMask } from '../../lib/stream-format.ts';
import type { DeviceProfile } from '../devices/profile.ts';
import type { DirectoryStream } from '../directory/snapshot/snapshot.ts';

/** What is known about the playing device. */
export interface Player {
  readonly formats: FormatMask;
  readonly heAac: boolean;
  /** It named no formats, so it gets streams of unknown format too. */
  readonly takesAll: boolean;
  /** It named no formats, so MP3 comes first and HLS last. */
  readonly safestFirst: boolean;
  readonly tls: DeviceProfile['tls'];
  /** It is a web page loaded over HTTPS. */
  readonly secureFirst: boolean;
  readonly redirects: number;
  /** The playlist formats it can read inside the one it is given. */
  readonly playlists: readonly string[];
  readonly maxAddressLength: number;
  /** Set where it plays nothing that has no length. */
  readonly filesOnly?: boolean;
  readonly relay: DeviceProfile['relay'];
}

export interface StreamRequest {
  /** From the call or its partner. */
  formats: FormatMask;
  /** It called over HTTPS. A device that called over HTTP may support TLS too, but most old radios do not. */
  isSecure: boolean;
  /** It wants no playlists inside the one it is given. */
  directOnly: boolean;
}

/** The formats a call names narrow those of its profile; if none would be left, the call's formats win. */
export function playerOf(profile: DeviceProfile, { formats, isSecure, directOnly }: StreamRequest): Player {
  const takesAll = (formats & ALL_FORMATS) === ALL_FORMATS;
  return {
    formats: formats & profile.formats || formats,
    heAac: profile.heAac,
    takesAll,
    safestFirst: takesAll && profile.safestFirst,
    tls: isSecure && profile.tls === 'old' ? 'modern' : profile.tls,
    secureFirst: isSecure && profile.secureFirst,
    redirects: profile.redirects,
    playlists: directOnly ? NONE : profile.playlists,
    maxAddressLength: profile.maxAddressLength,
    filesOnly: profile.filesOnly,
    relay: profile.relay,
  };
}

const NONE: readonly string[] = [];

/**
 * Where to send a player: past the playlist when its target is known, and past the redirects for a device that does not
 * follow that many. Others get the station's own address, which may lead elsewhere tomorrow.
 */
export function playAddress(stream: DirectoryStream, player: Pick<Player, 'redirects' | 'tls'>): string {
  const { address, playlist, resolvedAddress } = stream;
  if (resolvedAddress === undefined) return address;
  if (playlist !== undefined || player.redirects < Math.max(stream.redirects, 1)) return resolvedAddress;
  return player.tls === 'none' && isSecure(address) ? resolvedAddress : address;
}

/** Where a player that follows every redirect ends up. */
export const finalAddress = ({ address, resolvedAddress }: DirectoryStream): string =>
  resolvedAddress ?? address;

export const isPlaylist = ({ playlist, resolvedAddress }: DirectoryStream): boolean =>
  playlist !== undefined && resolvedAddress === undefined;

/** Whether it is AAC that the device hears dull or not at all. What the codec is not known of counts as heard. */
export const isDull = ({ codec }: DirectoryStream, { heAac }: Pick<Player, 'heAac'>): boolean =>
  !heAac && codec === HE_AAC;
const HE_AAC = 'HE-AAC';

export const isSecure = (address: string): boolean => address.startsWith('https:');

/** A single line, with a scheme that leads to audio: addresses also come from feeds and listeners. */
export const isPlain = (address: string): boolean =>
  /^(?:https?|rtsp|rtmp|mms[ht]?):\/\/[^\s\p{Cc}]+$/iu.test(address);
