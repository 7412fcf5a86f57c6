import { createCipheriv, createDecipheriv, hash, randomBytes, randomInt } from 'node:crypto';
import type { Pool } from 'pg';
import type { Queryable } from '../../../storage/db/pool.ts';
import { type RowOf, statement } from '../../../storage/db/statement.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { findOpenAccount, lockAccount } from '../accounts.ts';
import type { KeySet, MemberKeys } from '../keys.ts';

/** Of an account: one for each app. */
export const MAX_APP_PASSWORDS = 20;
export const MAX_APP_NAME_LENGTH = 60;

/** Twenty letters and digits, without those that look alike: 98 bits, and still typed on a phone. */
const LETTERS = 'abcdefghjkmnpqrstvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;

const letter = (): string => LETTERS[randomInt(LETTERS.length)] ?? '';
const group = (): string => Array.from({ length: GROUP_LENGTH }, letter).join('');

/** `xk3fp-9mzzt-…`: nobody chooses it, so it cannot be guessed. */
const newAppPassword = (): string => Array.from({ length: GROUPS }, group).join('-');

export const appSecretHash = (secret: string): Buffer => hash('sha256', secret, 'buffer');

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** What is sealed for one account cannot be opened as another's. */
function seal({ app }: KeySet, accountId: number, secret: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, app, iv).setAAD(Buffer.from(String(accountId)));
  const coded = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), coded]);
}

export type SealedPassword = Pick<AppSecretRow, 'account_id' | 'sealed' | 'key_version'>;

/** The password itself; undefined without the key it was sealed with. */
export function unsealAppPassword(keys: MemberKeys, row: SealedPassword): string | undefined {
  const { account_id: accountId, sealed, key_version: version } = row;
  const set = keys.all.find((each) => each.version === version);
  if (!set) return undefined;
  const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, set.app, sealed.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(String(accountId))).setAuthTag(tag);
    return decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    // Sealed with another key of the same version, as in a database that was put together from two.
    return undefined;
  }
}

const countPasswords = statement(
  'app-passwords-count',
  { passwords: 'int8' },
  'SELECT count(*) AS passwords FROM app_passwords WHERE account_id = $1',
).oneValue((accountId: number) => [accountId]);
const add = statement(
  'app-password-add',
  { id: 'int8' },
  `INSERT INTO app_passwords (account_id, secret_hash, app, sealed, key_version) VALUES ($1, $2, $3, $4, $5)
   RETURNING id`,
);

/** A new password for an app, which is shown this once; undefined when the account has enough of them. */
export async function addAppPassword(
  pool: Pool,
  keys: MemberKeys,
  { accountId, app }: { accountId: number; app: string },
): Promise<{ id: number; password: string } | undefined> {
  const password = newAppPassword();
  const sealed = seal(keys.writing, accountId, password);
  const params = [accountId, appSecretHash(password), app, sealed, keys.writing.version];
  // Locked before they are counted: of concurrent calls each counts what the one before it made.
  const added = await transaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const holder = await findOpenAccount(client, accountId);
    // An account without a name has no login.
    if (!holder?.username || (await countPasswords(client, accountId)) >= MAX_APP_PASSWORDS) return undefined;
    const [row] = await add.run(client, params);
    return row;
  });
  return added && { id: added.id, password };
}

const LISTED = { id: 'int8', app: 'text', created_at: 'timestamptz', used_at: 'timestamptz?' } as const;

/** An account's app passwords as shown to its owner, the oldest first. */
export const listAppPasswords = statement(
  'app-passwords-of-account',
  LISTED,
  `SELECT id, app, created_at, used_at FROM app_passwords WHERE account_id = $1 ORDER BY id LIMIT ${MAX_APP_PASSWORDS}`,
).all((accountId: number) => [accountId]);

/** The app is signed out everywhere within half a minute. False when there is no such password. */
export const removeAppPassword = statement(
  'app-password-remove',
  { id: 'int8' },
  'DELETE FROM app_passwords WHERE account_id = $1 AND id = $2 RETURNING id',
).exists((accountId: number, id: number) => [accountId, id]);

/** All of an account. */
export const removeAppPasswords = statement(
  'app-passwords-remove',
  {},
  'DELETE FROM app_passwords WHERE account_id = $1',
).command((accountId: number) => [accountId]);

const SECRETS = {
  id: 'int8',
  account_id: 'int8',
  secret_hash: 'bytea',
  sealed: 'bytea',
  key_version: 'int2',
  used_at: 'timestamptz?',
} as const;
const SECRET_LIST = 'SELECT id, account_id, secret_hash, sealed, key_version, used_at FROM app_passwords';

export type AppSecretRow = RowOf<typeof SECRETS> & { username: string | null };

const secretsOfAccount = statement(
  'app-secrets-of-account',
  SECRETS,
  `${SECRET_LIST} WHERE account_id = $1`,
).all((accountId: number) => [accountId]);

/** Those of one account that is open. */
export async function listAppSecrets(db: Queryable, accountId: number): Promise<AppSecretRow[]> {
  const rows = await secretsOfAccount(db, accountId);
  const holder = rows.length > 0 ? await findOpenAccount(db, accountId) : undefined;
  return holder ? rows.map((row) => ({ ...row, username: holder.username })) : [];
}

const secretByHash = statement('app-secret-by-hash', SECRETS, `${SECRET_LIST} WHERE secret_hash = $1`).first(
  (secretHash: Buffer) => [secretHash],
);

/** For apps that send no name. */
export async function findAppSecret(db: Queryable, secretHash: Buffer): Promise<AppSecretRow | undefined> {
  const row = await secretByHash(db, secretHash);
  const holder = row && (await findOpenAccount(db, row.account_id));
  return row && holder && { ...row, username: holder.username };
}

export const noteAppUse = statement(
  'app-password-used',
  {},
  'UPDATE app_passwords SET used_at = $2 WHERE secret_hash = $1',
).command((secretHash: Buffer, now: Temporal.Instant) => [secretHash, now.toString()]);

const BATCH = 500;
const batch = statement(
  'app-passwords-batch',
  { secret_hash: 'bytea', account_id: 'int8', sealed: 'bytea', key_version: 'int2' },
  `SELECT secret_hash, account_id, sealed, key_version FROM app_passwords WHERE secret_hash > $1
   ORDER BY secret_hash LIMIT ${BATCH}`,
);
const reseal = statement(
  'app-password-reseal',
  {},
  'UPDATE app_passwords SET sealed = $2, key_version = $3 WHERE secret_hash = $1',
);

/**
 * Seals with the new key what an earlier one sealed; returns how many passwords could not be opened. Unlike all other
 * secrets these need not wait until their owners call.
 */
export async function resealAppPasswords(db: Queryable, keys: MemberKeys): Promise<number> {
  let after: Buffer = Buffer.alloc(0);
  let left = 0;
  for (;;) {
    const rows = await batch.run(db, [after]);
    for (const row of rows.filter(({ key_version: version }) => version !== keys.writing.version)) {
      const secret = unsealAppPassword(keys, row);
      if (secret === undefined) left += 1;
      else {
        const sealed = seal(keys.writing, row.account_id, secret);
        await reseal.run(db, [row.secret_hash, sealed, keys.writing.version]);
      }
    }
    after = rows.at(-1)?.secret_hash ?? after;
    if (rows.length < BATCH) return left;
  }
}
