import { findAccount, findAccountIdByUsername } from '../../core/accounts/accounts.ts';
import type { Directory } from '../../core/directory/directory.ts';
import { listSaved } from '../../core/folders/saved-items.ts';
import type { SavedFolders } from '../../protocols/upnp/tree.ts';
import { ReadThrough } from '../../storage/cache/read-through.ts';
import type { Queryable } from '../../storage/db/pool.ts';

/** Presets change while somebody stands before the receiver. */
const FRESH = { freshMs: 3000, lateMs: 3000, staleMs: 3_600_000, most: 1 };

/** `private`: its owner shows its presets to nobody who only knows its name, or has closed it. */
export async function findHouseAccount(db: Queryable, name: string): Promise<number | 'private' | undefined> {
  const id = await findAccountIdByUsername(db, name);
  const account = id === undefined ? undefined : await findAccount(db, id);
  if (!account) return undefined;
  return account.readable_by_name ? account.id : 'private';
}

/** What the account of that name has saved, as everybody in the house may see it; nothing without one. */
export async function openHousePresets(
  name: string | undefined,
  db: Queryable,
  directory: Pick<Directory, 'current'>,
): Promise<() => Promise<SavedFolders | undefined>> {
  if (name === undefined) return async () => undefined;
  if ((await findHouseAccount(db, name)) === undefined)
    throw new Error(
      `UPNP_ACCOUNT: there is no account ${JSON.stringify(name)}; create it on the site, or unset UPNP_ACCOUNT`,
    );
  const kept = new ReadThrough<SavedFolders | undefined>({
    ...FRESH,
    // Again each time: it may be closed, or made private.
    async load(key) {
      const id = await findHouseAccount(db, key);
      return typeof id === 'number' ? listSaved(db, directory.current(), id) : undefined;
    },
  });
  return () => kept.get(name);
}
