import { ReadThrough } from '../cache/read-through.ts';
import type { Queryable } from '../db/pool.ts';
import { findAccount } from '../members/accounts.ts';
import { findSavedAddress } from '../members/presets.ts';
import { findAccountIdByUsername } from '../members/usernames.ts';
import { type Tuned, tunedAddress } from './tuned.ts';

/**
 * The addresses that listeners saved. Such an id is a number anybody can guess, and what is behind it is the owner's:
 * it is told only to who names the account it belongs to, as the presets themselves are.
 */
export class SavedAddresses {
  readonly #reads: ReadThrough<Tuned | undefined>;

  constructor(db: Queryable) {
    // Nothing is kept: an owner may forbid reading by name at any moment. What is wanted of it is the deadline.
    this.#reads = new ReadThrough({ load: (key) => read(db, key), most: 1, freshMs: 0, staleMs: 0 });
  }

  find(id: number, username: string): Promise<Tuned | undefined> {
    return this.#reads.get(`${id} ${username}`);
  }
}

async function read(db: Queryable, key: string): Promise<Tuned | undefined> {
  const space = key.indexOf(' ');
  const id = Number(key.slice(0, space));
  const accountId = await findAccountIdByUsername(db, key.slice(space + 1));
  if (accountId === undefined) return undefined;
  const account = await findAccount(db, accountId);
  const saved = account?.readable_by_name ? await findSavedAddress(db, accountId, id) : undefined;
  return saved && tunedAddress(id, saved.label ?? saved.address, saved.address);
}
