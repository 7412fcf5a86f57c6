import type { PoolClient } from 'pg';
import type { Queryable } from '../../storage/db/pool.ts';
import { type RowOf, statement } from '../../storage/db/statement.ts';

// Without the password hash, which only the password check reads.
const COLUMNS = {
  id: 'int8',
  username: 'text?',
  email: 'text?',
  country_id: 'int8?',
  region_id: 'int8?',
  latitude: 'float8?',
  longitude: 'float8?',
  zone: 'text?',
  readable_by_name: 'bool',
  language: 'text?',
  has_site_password: 'bool',
} as const;

export type AccountRow = RowOf<typeof COLUMNS>;

export const findAccount = statement(
  'account-by-id',
  COLUMNS,
  `SELECT id, username, email, country_id, region_id, latitude, longitude, zone,
     readable_by_name AND closed_at IS NULL AS readable_by_name, language,
     site_password_hash IS NOT NULL AS has_site_password
   FROM accounts WHERE id = $1`,
).first((id: number) => [id]);

/** What leads to an account by another key is a separate read: the account may be on another server. */
export const findOpenAccount = statement(
  'account-open',
  { id: 'int8', username: 'text?' },
  'SELECT id, username FROM accounts WHERE id = $1 AND closed_at IS NULL',
).first((id: number) => [id]);

const accountAdd = statement(
  'account-add',
  { id: 'int8' },
  `INSERT INTO accounts (username, password_hash, email, country_id, region_id, latitude, longitude, zone,
     site_password_hash, language)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`,
);

export interface NewAccount {
  username: string;
  passwordHash: string;
  email: string;
  place: AccountPlaceRow;
  /** For an account created at the site. */
  sitePasswordHash?: string | undefined;
  language?: string | undefined;
}

/** Where the account's owner is, by catalogue ids. */
export interface AccountPlaceRow {
  countryId: number;
  regionId: number;
  latitude: number;
  longitude: number;
  zone: string;
}

export async function addAccountRow(db: Queryable, account: NewAccount): Promise<number> {
  const { username, passwordHash, email, place } = account;
  const { countryId, regionId, latitude, longitude, zone } = place;
  const [added] = await accountAdd.run(db, [
    username,
    passwordHash,
    email,
    countryId,
    regionId,
    latitude,
    longitude,
    zone,
    account.sitePasswordHash,
    account.language,
  ]);
  if (!added) throw new Error('the database returned no new account');
  return added.id;
}

/** The registration data of an account, to recognise a repeated call. */
export const findRegistration = statement(
  'account-registration',
  { email: 'text?', password_hash: 'text?', created_at: 'timestamptz' },
  'SELECT email, password_hash, created_at FROM accounts WHERE id = $1',
).first((id: number) => [id]);

/** The account with this name, ignoring case. The account itself is a separate read: it may be on another server. */
export const findAccountIdByUsername = statement(
  'username-account-id',
  { account_id: 'int8' },
  'SELECT account_id FROM usernames WHERE username_key = $1',
).value((username: string) => [username.toLowerCase()]);

/** False when another account has it already. */
export const takeUsername = statement(
  'username-take',
  { account_id: 'int8' },
  `INSERT INTO usernames (username_key, account_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING account_id`,
).exists((username: string, accountId: number) => [username.toLowerCase(), accountId]);

/** In practice an address is one mailbox whatever its case. */
export const emailKey = (email: string): string => email.toLowerCase();

/** The account with this address. The account itself is a separate read: it may be on another server. */
export const findAccountIdByEmail = statement(
  'email-account-id',
  { account_id: 'int8' },
  'SELECT account_id FROM emails WHERE email_key = $1',
).value((email: string) => [emailKey(email)]);

/** False when another account has it already. */
export const takeEmail = statement(
  'email-take',
  { account_id: 'int8' },
  `INSERT INTO emails (email_key, account_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING account_id`,
).exists((email: string, accountId: number) => [emailKey(email), accountId]);

const LOCKED_COLUMNS = { preset_count: 'int4', folder_count: 'int4', is_left: 'bool' } as const;
const LOCKED_LIST = 'preset_count, folder_count, left_at IS NOT NULL AS is_left';

export const releaseEmail = statement(
  'email-release',
  {},
  'DELETE FROM emails WHERE email_key = $1 AND account_id = $2',
).command((email: string, accountId: number) => [emailKey(email), accountId]);

export const releaseUsername = statement(
  'username-release',
  {},
  'DELETE FROM usernames WHERE username_key = $1 AND account_id = $2',
).command((username: string, accountId: number) => [username.toLowerCase(), accountId]);

// The same lock an update takes, no stronger: rows that refer to the account can still be added.
const accountLock = statement(
  'account-lock-to-save',
  LOCKED_COLUMNS,
  `SELECT ${LOCKED_LIST} FROM accounts WHERE id = $1 FOR NO KEY UPDATE`,
);
const accountLook = statement(
  'account-look',
  LOCKED_COLUMNS,
  `SELECT ${LOCKED_LIST} FROM accounts WHERE id = $1`,
);

/** The device was linked to another account between the lookup and the save: look it up again. */
export class AccountLeft extends Error {
  override name = 'AccountLeft';
}

/**
 * Blocks other changes to the account's presets or folders until the transaction ends. Taken before any other lock, to
 * prevent deadlocks. Callers compare the limits themselves: a row that a table constraint rejects is written to the
 * database's log, including the e-mail address.
 */
export const lockAccount = async (
  client: PoolClient,
  accountId: number,
): Promise<RowOf<typeof LOCKED_COLUMNS>> => inUse(accountId, await accountLock.run(client, [accountId]));

export const lookAtAccount = async (
  db: Queryable,
  accountId: number,
): Promise<RowOf<typeof LOCKED_COLUMNS>> => inUse(accountId, await accountLook.run(db, [accountId]));

function inUse(
  accountId: number,
  [account]: readonly RowOf<typeof LOCKED_COLUMNS>[],
): RowOf<typeof LOCKED_COLUMNS> {
  if (!account) throw new Error(`there is no account ${accountId}`);
  if (account.is_left) throw new AccountLeft();
  return account;
}
