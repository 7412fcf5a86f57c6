import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { type MemberKeys, keyedHash } from './keys.ts';
import { randomCode } from './password-by-mail.ts';
import type { DeviceKey } from './serial-hash.ts';

/** 40 bits: among a million open ones a guess is right once in a million. */
const CODE_LENGTH = 8;
export const CLAIM_MINUTES = 30;

const codeHash = (keys: MemberKeys, code: string): Buffer =>
  keyedHash(keys.code, 'claim', code.toUpperCase().replaceAll(/[\s-]/g, ''));

const add = statement(
  'claim-add',
  {},
  `INSERT INTO device_claims (code_hash, scope, serial_hash, expires_at)
   VALUES ($1, $2, $3, now() + interval '${CLAIM_MINUTES} minutes')`,
);

/** A code that a device shows, and that joins it when its owner types it in elsewhere. */
export async function openClaim(db: Queryable, keys: MemberKeys, device: DeviceKey): Promise<string> {
  const code = randomCode(CODE_LENGTH);
  await add.run(db, [codeHash(keys, code), device.scope, device.hash]);
  return code;
}

const redeem = statement(
  'claim-redeem',
  { scope: 'text', serial_hash: 'bytea' },
  'DELETE FROM device_claims WHERE code_hash = $1 AND expires_at > now() RETURNING scope, serial_hash',
);

/** The device behind a code, which is then used up; undefined for one that nobody shows, or no longer. */
export async function redeemClaim(
  db: Queryable,
  keys: MemberKeys,
  code: string,
): Promise<DeviceKey | undefined> {
  const [claim] = await redeem.run(db, [codeHash(keys, code)]);
  return claim && { scope: claim.scope, hash: claim.serial_hash };
}
