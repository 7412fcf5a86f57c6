import { parseArgs } from 'node:util';
import { openContext } from '../../app/context.ts';
import { deviceKey } from '../../core/accounts/devices/devices.ts';
import { requireSameKey } from '../../core/accounts/key-state.ts';
import { memberKeys } from '../../core/accounts/keys.ts';
import { findPartner } from '../../core/accounts/partners/partners.ts';
import { UNDO_DAYS, undoDevice } from '../../core/accounts/undo.ts';
import { transaction } from '../../storage/db/transaction.ts';
import { type Command, UsageError } from '../command.ts';

export const deviceCommand: Command = {
  usage: ['device undo --partner ID --serial SERIAL'],
  summary: `undo the last join or drop of a device, within ${UNDO_DAYS} days`,
  async run(args, config) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { partner: { type: 'string' }, serial: { type: 'string' } },
    });
    const { partner: partnerId, serial } = values;
    if (positionals[0] !== 'undo' || partnerId === undefined || serial === undefined)
      throw new UsageError('give the action and the device: device undo --partner ID --serial SERIAL');
    if (config.memberKey === undefined)
      throw new Error('MEMBER_KEY is not set; set the key that the service uses');
    const keys = memberKeys(config.memberKey, config.memberKeyOld);
    await using context = openContext(config, { name: 'device' });
    await requireSameKey(context.pool, keys);
    const partner = await findPartner(context.pool, partnerId);
    if (!partner) throw new Error(`there is no partner ${partnerId}; longwave partner list shows them`);
    const device = deviceKey(keys, partner.serial_scope, serial);
    const { undone, username } = await transaction(context.pool, (client) => undoDevice(client, device));
    const now = undone === 'join' ? 'no longer belongs to' : 'belongs again to';
    console.log(`the ${undone} is undone: the device ${now} ${username}`);
  },
};
