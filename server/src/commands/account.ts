import { parseArgs } from 'node:util';
import { openContext } from '../context.ts';
import { systemClock } from '../lib/clock.ts';
import { memberKeys } from '../members/keys.ts';
import { requireSameKey } from '../members/member-key.ts';
import { MAILED_PASSWORD_HOURS, offerMailedPassword } from '../members/password-by-mail.ts';
import { findAccountIdByUsername } from '../members/usernames.ts';
import { UsageError, type Command } from './command.ts';

/** For who forgot theirs where no mail is sent. */
export const accountCommand: Command = {
  usage: ['account password NAME'],
  summary: `make a new password for an account, good once within ${MAILED_PASSWORD_HOURS} hours`,
  async run(args, config) {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const [action, name, ...more] = positionals;
    if (action !== 'password' || name === undefined || more.length > 0)
      throw new UsageError('say password, and the name of the account');
    if (config.memberKey === undefined)
      throw new Error('MEMBER_KEY is not set; without the one of the service no password can be made');
    const keys = memberKeys(config.memberKey);
    await using context = openContext(config, { name: 'account' });
    await requireSameKey(context.pool, keys);
    const id = await findAccountIdByUsername(context.pool, name);
    if (id === undefined) throw new Error(`there is no account ${name}`);
    const password = await offerMailedPassword(context.pool, keys, { id, now: systemClock.now() });
    console.log(
      `${password} opens the account of ${name} within ${MAILED_PASSWORD_HOURS} hours, at the site or on a radio; used there, it becomes the password, and until then the old one works too`,
    );
  },
};
