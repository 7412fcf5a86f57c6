import type { Pool, PoolClient } from 'pg';
import { transaction } from '../db/transaction.ts';
import { Fault } from '../lib/fault.ts';
import { type NewAccount, addAccountRow } from './accounts.ts';
import { DEFAULT_FOLDER } from './devices.ts';
import { takeEmail } from './emails.ts';
import { addFolderRow } from './folders.ts';
import { joinDevice } from './join.ts';
import type { DeviceKey } from './serial-hash.ts';
import { takeUsername } from './usernames.ts';

export const USERNAME_EXISTS = 'validation.userNameExists';

/** Makes an account with its first folder, joined to the device when there is one: all of it or nothing. */
export const register = (pool: Pool, account: NewAccount, device: DeviceKey | undefined): Promise<number> =>
  transaction(pool, async (client) => {
    const id = await addAccountRow(client, account);
    await takeNames(client, account, id);
    await addFolderRow(client, id, { name: DEFAULT_FOLDER, isDefault: true });
    if (device) await joinDevice(client, id, device);
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
