import type { Pool } from 'pg';
import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { transaction } from '../db/transaction.ts';
import { listOwnDevices } from './account-devices.ts';
import { holdAccount, moveDevice, nameDevice } from './join.ts';
import { endSessions } from './sessions.ts';

const close = statement('account-close', {}, 'UPDATE accounts SET closed_at = now() WHERE id = $1');
const leaveDevices = statement(
  'account-devices-leave',
  {},
  'DELETE FROM account_devices WHERE account_id = $1',
);

/**
 * Closes an account: signed out everywhere, its devices without presets, its name read by nobody. It is deleted after as
 * many days as anything can be undone, unless its owner signs in at the site before.
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

const reopen = statement(
  'account-reopen',
  { id: 'int8' },
  'UPDATE accounts SET closed_at = NULL WHERE id = $1 AND closed_at IS NOT NULL RETURNING id',
);

/** Opens a closed account again; false when it was not closed. */
export const reopenAccount = async (db: Queryable, id: number): Promise<boolean> =>
  (await reopen.run(db, [id])).length > 0;
