import { type MemberKeys, keyedHash } from './keys.ts';

/** A device as it is stored: within the scope of its partner, by a hash that only this service can make. */
export interface DeviceKey {
  scope: string;
  hash: Buffer;
}

/** Serials are written with and without separators, in capitals or not; they mean one device. */
export const deviceKey = (keys: MemberKeys, scope: string, serial: string): DeviceKey => ({
  scope,
  hash: keyedHash(
    keys.serial,
    scope,
    serial
      .trim()
      .toUpperCase()
      .replaceAll(/[:\s-]/g, ''),
  ),
});
