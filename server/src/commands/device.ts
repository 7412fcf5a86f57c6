import { parseArgs } from 'node:util';
import { openContext } from '../context.ts';
import { transaction } from '../db/transaction.ts';
import { memberKeys } from '../members/keys.ts';
import { requireSameKey } from '../members/member-key.ts';
import { findPartner } from '../members/partners.ts';
import { deviceKey } from '../members/serial-hash.ts';
import { UNDO_DAYS, undoDevice } from '../members/undo.ts';
import { UsageError, type Command } from './command.ts';

export const deviceCommand: Command = {
  usage: ['device undo --partner ID --serial SERIAL'],
  summary: `take the last join or drop of a device back, within ${UNDO_DAYS} days`,
  async run(args, config) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { partner: { type: 'string' }, serial: { type: 'string' } },
    });
    const { partner: partnerId, serial } = values;
    if (positionals[0] !== 'undo' || partnerId === undefined || serial === undefined)
      throw new UsageError('say undo, and which device: --partner ID --serial SERIAL');
    if (config.memberKey === undefined)
      throw new Error('MEMBER_KEY is not set; without the one of the service no serial is known');
    const keys = memberKeys(config.memberKey);
    await using context = openContext(config, { name: 'device' });
    await requireSameKey(context.pool, keys);
    const partner = await findPartner(context.pool, partnerId);
    if (!partner) throw new Error(`there is no partner ${partnerId}; longwave partner list names them`);
    const device = deviceKey(keys, partner.serial_scope, serial);
    const { undone, username } = await transaction(context.pool, (client) => undoDevice(client, device));
    const now = undone === 'join' ? 'no longer belongs to' : 'belongs again to';
    console.log(`the ${undone} is undone: the device ${now} ${username}`);
  },
};
