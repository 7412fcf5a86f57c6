import { parseArgs } from 'node:util';
import type { Config } from '../app/config.ts';
import { openContext } from '../app/context.ts';
import { findAccountIdByUsername } from '../core/accounts/accounts.ts';
import { addListToken, MAX_LIST_TOKENS, removeListTokens } from '../core/accounts/list-tokens.ts';
import { requireSameKey } from '../core/accounts/key-state.ts';
import { memberKeys } from '../core/accounts/keys.ts';
import { MAILED_PASSWORD_HOURS, offerMailedPassword } from '../core/accounts/mail/password-by-mail.ts';
import { makeOperator, OPERATOR_LINK_HOURS } from '../core/accounts/operators.ts';
import { systemClock } from '../lib/clock.ts';
import type { Queryable } from '../storage/db/pool.ts';
import { type Command, UsageError } from './command.ts';
import { makeOperatorLink, whyNoOperator } from './setup/operator-link.ts';

/** What an operator does for accounts by hand. */
export const accountCommand: Command = {
  usage: ['account password NAME', 'account operator [NAME]', 'account list NAME [--revoke]'],
  summary: `create a password for an account, to be used once within ${MAILED_PASSWORD_HOURS} hours; or make an account an operator, without a name by a link; or make an address at which players read an account's presets, or revoke all that were made`,
  async run(args, config) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { revoke: { type: 'boolean', default: false } },
    });
    const [action, name, ...more] = positionals;
    if (action === 'list' && name !== undefined && more.length === 0)
      return list(config, name, values.revoke);
    if (values.revoke) throw new UsageError('--revoke is for lists: account list NAME --revoke');
    if (action === 'operator' && more.length === 0) return operator(config, name);
    if (action !== 'password' || name === undefined || more.length > 0)
      throw new UsageError(
        'give the action and the account: account password NAME, account operator NAME, account list NAME',
      );
    return password(config, name);
  },
};

/** For people who forgot their password on a service that sends no mail. */
async function password(config: Config, name: string): Promise<void> {
  if (config.memberKey === undefined)
    throw new Error('MEMBER_KEY is not set; set the key that the service uses');
  const keys = memberKeys(config.memberKey, config.memberKeyOld);
  await using context = openContext(config, { name: 'account' });
  await requireSameKey(context.pool, keys);
  const id = await getAccountId(context.pool, name);
  const offered = await offerMailedPassword(context.pool, keys, { id, now: systemClock.now() });
  console.log(
    `${offered} is a password for ${name}, valid for ${MAILED_PASSWORD_HOURS} hours on the site or a radio; once used it replaces the old one, which works until then`,
  );
}

async function operator(config: Config, name: string | undefined): Promise<void> {
  await using context = openContext(config, { name: 'account' });
  if (name !== undefined) {
    await makeOperator(context.pool, await getAccountId(context.pool, name));
    return console.log(`${name} is an operator: the site has a page for them, /listen/operator`);
  }
  const why = whyNoOperator(config);
  if (why !== undefined) throw new Error(`nobody could use the link: ${why}`);
  const link = await makeOperatorLink(context.pool, config);
  console.log(`Whoever opens this first, within ${OPERATOR_LINK_HOURS} hours, is an operator: ${link}`);
}

/** The address is shown once: only a hash of its secret is kept. */
async function list(config: Config, name: string, isRevoked: boolean): Promise<void> {
  await using context = openContext(config, { name: 'account' });
  const id = await getAccountId(context.pool, name);
  if (isRevoked) {
    const ended = await removeListTokens(context.pool, id);
    return console.log(
      `${ended} addresses of lists of ${name} were revoked; players that have one of them find nothing there`,
    );
  }
  const token = await addListToken(context.pool, id);
  if (token === undefined)
    throw new Error(
      `${name} has ${MAX_LIST_TOKENS} addresses of lists already; revoke them all first: account list ${name} --revoke`,
    );
  const origin = `http://${config.publicHosts[0] ?? `THIS-MACHINE:${config.httpPort}`}`;
  console.log(
    `${origin}/lists/${token}/presets.m3u has the presets of ${name}, presets.xml beside it what they broadcast. Whoever has the address reads the list; it is not shown again`,
  );
  if (config.lists === 'off') console.log('LISTS=off: nobody can read it until that is changed');
}

async function getAccountId(db: Queryable, name: string): Promise<number> {
  const id = await findAccountIdByUsername(db, name);
  if (id === undefined) throw new Error(`there is no account ${name}`);
  return id;
}
