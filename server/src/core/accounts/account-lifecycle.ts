import type { Pool, PoolClient } from 'pg';
import { Fault } from '../../lib/fault.ts';
import { statement } from '../../storage/db/statement.ts';
import { transaction } from '../../storage/db/transaction.ts';
import {
  type AccountPlaceRow,
  addAccountRow,
  emailKey,
  type NewAccount,
  releaseEmail,
  takeEmail,
  takeUsername,
} from './accounts.ts';
import { DEFAULT_FOLDER, type DeviceKey, listOwnDevices } from './devices/devices.ts';
import { holdAccount, linkDevice, moveDevice, nameDevice } from './devices/link-device.ts';
import { setSitePassword } from './login/login-secrets.ts';
import { endSessions } from './login/sessions.ts';
import { addFolderRow } from './presets/folders.ts';

// An account's lifecycle, from registration to deletion.

export const USERNAME_EXISTS = 'validation.userNameExists';

/** Creates an account with its first folder, linked to the device if there is one, in one transaction. */
export const register = (pool: Pool, account: NewAccount, device: DeviceKey | undefined): Promise<number> =>
  transaction(pool, async (client) => {
    const id = await addAccountRow(client, account);
    await takeNames(client, account, id);
    await addFolderRow(client, id, { name: DEFAULT_FOLDER, isDefault: true });
    if (device) await linkDevice(client, id, device);
    return id;
  });

async function takeNames(client: PoolClient, { username, email }: NewAccount, id: number): Promise<void> {
  if (!(await takeUsername(client, username, id)))
    throw new Fault(400, USERNAME_EXISTS, 'This username is taken; choose another');
  if (!(await takeEmail(client, email, id)))
    throw new Fault(
      400,
      'validation.emailExists',
      "This email is registered already; 'c=remind' sends its username, 'c=reset' a new password",
    );
}

/** The changes an owner can make to an account; omitted fields stay as they are. */
export interface AccountChanges {
  email?: string | undefined;
  place?: AccountPlaceRow | undefined;
  zone?: string | undefined;
  readByName?: boolean | undefined;
  language?: string | undefined;
  /** The stored hash that the owner's password just matched: nothing is changed if it differs by now. */
  verifiedHash?: string | undefined;
  /** The new site password; every session of the old one ends. */
  sitePasswordHash?: string | undefined;
}

const hold = statement(
  'account-hold-email',
  { email: 'text?', password_hash: 'text?' },
  `SELECT email, coalesce(site_password_hash, password_hash) AS password_hash FROM accounts WHERE id = $1
   FOR NO KEY UPDATE`,
);
// Passwords and links mailed to the old address become invalid: that mailbox may have another owner by now.
const change = statement(
  'account-change',
  {},
  `UPDATE accounts SET email = coalesce($2, email), country_id = coalesce($3, country_id),
     region_id = coalesce($4, region_id), latitude = coalesce($5, latitude), longitude = coalesce($6, longitude),
     zone = coalesce($7, zone), readable_by_name = coalesce($8, readable_by_name), language = coalesce($9, language),
     reset_hash = CASE WHEN $2::text IS NULL THEN reset_hash END,
     reset_until = CASE WHEN $2::text IS NULL THEN reset_until END
   WHERE id = $1`,
);

/** One transaction; returns the previous address if mail now goes to a different mailbox. */
export const changeAccount = (pool: Pool, id: number, changes: AccountChanges): Promise<string | undefined> =>
  transaction(pool, async (client) => {
    const { email, place, zone, readByName, language, verifiedHash, sitePasswordHash } = changes;
    const [locked] = await hold.run(client, [id]);
    if (!locked) throw new Error(`there is no account ${id}`);
    if (verifiedHash !== undefined && verifiedHash !== locked.password_hash) throw changedMeanwhile();
    const left =
      email === undefined ? undefined : await moveEmail(client, id, { from: locked.email, to: email });
    await change.run(client, [
      id,
      email,
      place?.countryId,
      place?.regionId,
      place?.latitude,
      place?.longitude,
      zone ?? place?.zone,
      readByName,
      language,
    ]);
    if (sitePasswordHash !== undefined) {
      await setSitePassword(client, id, sitePasswordHash);
      await endSessions(client, id);
    }
    return left;
  });

const changedMeanwhile = (): Fault =>
  new Fault(403, 'validation.credentials', 'Your password was changed a moment ago; give the new one');

async function moveEmail(
  client: PoolClient,
  id: number,
  { from, to }: { from: string | null; to: string },
): Promise<string | undefined> {
  if (from !== null && emailKey(from) === emailKey(to)) return undefined;
  if (!(await takeEmail(client, to, id)))
    throw new Fault(400, 'validation.emailExists', 'This email belongs to another account; use another one');
  if (from !== null) await releaseEmail(client, from, id);
  return from ?? undefined;
}

const close = statement('account-close', {}, 'UPDATE accounts SET closed_at = now() WHERE id = $1');
const leaveDevices = statement(
  'account-devices-leave',
  {},
  'DELETE FROM account_devices WHERE account_id = $1',
);

/**
 * Closes an account: signed out everywhere, its devices without presets, its name hidden. It is deleted once the undo
 * period has passed, unless its owner signs in at the site before.
 */
export const closeAccount = (pool: Pool, id: number): Promise<void> =>
  transaction(pool, async (client) => {
    await holdAccount(client, id);
    for (const device of await listOwnDevices(client, id))
      await moveDevice(client, device, { to: null, from: null });
    await leaveDevices.run(client, [id]);
    await nameDevice(client, id, undefined);
    await endSessions(client, id);
    await close.run(client, [id]);
  });

/** Reopens a closed account; false when it was not closed. */
export const reopenAccount = statement(
  'account-reopen',
  { id: 'int8' },
  'UPDATE accounts SET closed_at = NULL WHERE id = $1 AND closed_at IS NOT NULL RETURNING id',
).exists((id: number) => [id]);
