import type { Pool, PoolClient } from 'pg';
import { statement } from '../db/statement.ts';
import { transaction } from '../db/transaction.ts';
import { Fault } from '../lib/fault.ts';
import type { AccountPlaceRow } from './accounts.ts';
import { emailKey, takeEmail } from './emails.ts';
import { setSitePassword } from './login-secrets.ts';
import { endSessions } from './sessions.ts';

/** What an owner can change of an account; what is left out stays. */
export interface AccountChanges {
  email?: string | undefined;
  place?: AccountPlaceRow | undefined;
  zone?: string | undefined;
  readByName?: boolean | undefined;
  language?: string | undefined;
  /** The stored hash that the owner's password fitted a moment ago: nothing is changed once it is another. */
  verifiedHash?: string | undefined;
  /** Of the site's password from now on; every session is over with the old one. */
  sitePasswordHash?: string | undefined;
}

const hold = statement(
  'account-hold-email',
  { email: 'text?', password_hash: 'text?' },
  `SELECT email, coalesce(site_password_hash, password_hash) AS password_hash FROM accounts WHERE id = $1
   FOR NO KEY UPDATE`,
);
// What was mailed to the old address is worth nothing once there is another: that mailbox may be somebody else's by now.
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
const release = statement('email-release', {}, 'DELETE FROM emails WHERE email_key = $1 AND account_id = $2');

/** All of it or nothing; gives the address that letters went to before, where that is another mailbox now. */
export const changeAccount = (pool: Pool, id: number, changes: AccountChanges): Promise<string | undefined> =>
  transaction(pool, async (client) => {
    const { email, place, zone, readByName, language, verifiedHash, sitePasswordHash } = changes;
    const [held] = await hold.run(client, [id]);
    if (!held) throw new Error(`there is no account ${id}`);
    if (verifiedHash !== undefined && verifiedHash !== held.password_hash) throw changedMeanwhile();
    const left =
      email === undefined ? undefined : await moveEmail(client, id, { from: held.email, to: email });
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
    throw new Fault(400, 'validation.emailExists', 'This email belongs to another account; give another one');
  if (from !== null) await release.run(client, [emailKey(from), id]);
  return from ?? undefined;
}
