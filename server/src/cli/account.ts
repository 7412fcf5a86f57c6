import { parseArgs } from 'node:util';
import { openContext } from '../app/context.ts';
import { findAccountIdByUsername } from '../core/accounts/accounts.ts';
import { requireSameKey } from '../core/accounts/key-state.ts';
import { memberKeys } from '../core/accounts/keys.ts';
import { MAILED_PASSWORD_HOURS, offerMailedPassword } from '../core/accounts/mail/password-by-mail.ts';
import { systemClock } from '../lib/clock.ts';
import { type Command, UsageError } from './command.ts';

/** For people who forgot their password on a service that sends no mail. */
export const accountCommand: Command = {
  usage: ['account password NAME'],
  summary: `create a password for an account, to be used once within ${MAILED_PASSWORD_HOURS} hours`,
  async run(args, config) {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const [action, name, ...more] = positionals;
    if (action !== 'password' || name === undefined || more.length > 0)
      throw new UsageError('give the action and the account: account password NAME');
    if (config.memberKey === undefined)
      throw new Error('MEMBER_KEY is not set; set the key that the service uses');
    const keys = memberKeys(config.memberKey, config.memberKeyOld);
    await using context = openContext(config, { name: 'account' });
    await requireSameKey(context.pool, keys);
    const id = await findAccountIdByUsername(context.pool, name);
    if (id === undefined) throw new Error(`there is no account ${name}`);
    const password = await offerMailedPassword(context.pool, keys, { id, now: systemClock.now() });
    console.log(
      `${password} is a password for ${name}, valid for ${MAILED_PASSWORD_HOURS} hours on the site or a radio; once used it replaces the old one, which works until then`,
    );
  },
};
