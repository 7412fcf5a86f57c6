import type { Pool } from 'pg';
import { Fault } from '../../../lib/fault.ts';
import { statement } from '../../../storage/db/statement.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { lockAccount } from '../accounts.ts';
import { findSavedAddress, itemParams, type PresetItem } from './presets.ts';

const presetChangeAddress = statement(
  'preset-change-address',
  { id: 'int8' },
  `UPDATE presets SET kind = $3, item_id = coalesce($4::bigint, presets.id), address = $5::text, label = $6
   FROM folders WHERE folders.account_id = $1 AND folders.id = presets.folder_id AND folders.removed_at IS NULL
     AND presets.account_id = $1 AND presets.id = $2 AND presets.kind = 'u'
     AND NOT EXISTS (SELECT FROM presets AS twin
       WHERE twin.account_id = $1 AND twin.folder_id = presets.folder_id AND twin.id <> $2
         AND ((twin.kind = $3 AND twin.item_id = $4::bigint) OR md5(twin.address) = md5($5::text)))
   RETURNING presets.id`,
);

/**
 * Gives a saved address another name and address, or makes it the station there, in its place: folder and number are a
 * radio's button. False when the account has saved no such address.
 */
export const changeAddress = (
  pool: Pool,
  accountId: number,
  id: number,
  item: PresetItem,
): Promise<boolean> =>
  transaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const changed = await presetChangeAddress.run(client, [accountId, id, ...itemParams(item)]);
    if (changed.length > 0) return true;
    if ((await findSavedAddress(client, accountId, id)) === undefined) return false;
    throw new Fault(
      400,
      'request.invalid',
      'The same is saved in that folder already; remove one of the two, or give another address',
    );
  });
