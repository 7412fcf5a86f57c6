import type { DirectoryStream } from '../directory/snapshot.ts';
import type { Player } from './player.ts';

/**
 * Where to send a player: past the playlist when it is known where that leads, and past the redirects of a device that
 * does not follow so many. Others are sent where the station says, which may lead elsewhere tomorrow.
 */
export function playAddress(stream: DirectoryStream, player: Pick<Player, 'redirects' | 'tls'>): string {
  const { address, playlist, resolvedAddress } = stream;
  if (resolvedAddress === undefined) return address;
  if (playlist !== undefined || player.redirects < Math.max(stream.redirects, 1)) return resolvedAddress;
  return player.tls === 'none' && isSecure(address) ? resolvedAddress : address;
}

/** Where a player ends that follows everything. */
export const finalAddress = ({ address, resolvedAddress }: DirectoryStream): string =>
  resolvedAddress ?? address;

export const isPlaylist = ({ playlist, resolvedAddress }: DirectoryStream): boolean =>
  playlist !== undefined && resolvedAddress === undefined;

export const isSecure = (address: string): boolean => address.startsWith('https:');

/** One line, and a scheme that leads to sound: feeds and listeners write addresses too. */
export const isPlain = (address: string): boolean =>
  /^(?:https?|rtsp|rtmp|mms[ht]?):\/\/[^\s\p{Cc}]+$/iu.test(address);
