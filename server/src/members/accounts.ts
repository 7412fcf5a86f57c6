import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

// Without the password's hash, which only the check of a password reads.
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

const byId = statement(
  'account-by-id',
  COLUMNS,
  `SELECT id, username, email, country_id, region_id, latitude, longitude, zone,
     readable_by_name AND closed_at IS NULL AS readable_by_name, language,
     site_password_hash IS NOT NULL AS has_site_password
   FROM accounts WHERE id = $1`,
);

export async function findAccount(db: Queryable, id: number): Promise<AccountRow | undefined> {
  const [account] = await byId.run(db, [id]);
  return account;
}

const add = statement(
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
  /** Of one that was made at the site. */
  sitePasswordHash?: string | undefined;
  language?: string | undefined;
}

/** Where its owner is, by numbers of the catalogue. */
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
  const [added] = await add.run(db, [
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

const registration = statement(
  'account-registration',
  { email: 'text?', password_hash: 'text?', created_at: 'timestamptz' },
  'SELECT email, password_hash, created_at FROM accounts WHERE id = $1',
);

export type Registration = RowOf<typeof registration.columns>;

/** What an account was made with, to know a call that comes twice. */
export async function findRegistration(db: Queryable, id: number): Promise<Registration | undefined> {
  const [found] = await registration.run(db, [id]);
  return found;
}
