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
} as const;

export type AccountRow = RowOf<typeof COLUMNS>;

const byId = statement(
  'account-by-id',
  COLUMNS,
  `SELECT ${Object.keys(COLUMNS).join(', ')} FROM accounts WHERE id = $1`,
);

export async function findAccount(db: Queryable, id: number): Promise<AccountRow | undefined> {
  const [account] = await byId.run(db, [id]);
  return account;
}
