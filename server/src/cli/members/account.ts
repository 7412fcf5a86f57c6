import { parseArgs } from 'node:util';
import type { Config } from '../../app/config.ts';
import { openContext } from '../../app/context.ts';
import {
  addAppPassword,
  listAppPasswords,
  MAX_APP_NAME_LENGTH,
  MAX_APP_PASSWORDS,
  removeAppPassword,
} from '../../core/accounts/app-passwords/app-passwords.ts';
import { findAccountIdByUsername } from '../../core/accounts/accounts.ts';
import { addListToken, MAX_LIST_TOKENS, removeListTokens } from '../../core/accounts/list-tokens.ts';
import { requireSameKey } from '../../core/accounts/key-state.ts';
import { memberKeys } from '../../core/accounts/keys.ts';
import { MAILED_PASSWORD_HOURS, offerMailedPassword } from '../../core/accounts/mail/password-by-mail.ts';
import { makeOperator, OPERATOR_LINK_HOURS } from '../../core/accounts/operators.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { type Command, UsageError } from '../command.ts';
import { makeOperatorLink, whyNoOperator } from '../setup/operator-link.ts';

/** What an operator does for accounts by hand. */
export const accountCommand: Command = {
  usage: [
    'account password NAME',
    'account operator [NAME]',
    'account list NAME [--revoke]',
    'account app NAME [APP] [--end NUMBER]',
  ],
  summary: `create a password for an account, to be used once within ${MAILED_PASSWORD_HOURS} hours; or make an account an operator, without a name by a link; or make an address at which players read an account's presets, or revoke all that were made; or show, make or end the passwords of its apps`,
  async run(args, config) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { revoke: { type: 'boolean', default: false }, end: { type: 'string' } },
    });
    const [action, name, ...more] = positionals;
    if (action === 'list' && name !== undefined && more.length === 0)
      return list(config, name, values.revoke);
    if (action === 'app' && name !== undefined && more.length <= (values.end === undefined ? 1 : 0))
      return values.end === undefined ? app(config, name, more[0]) : endApp(config, name, values.end);
    if (values.end !== undefined) throw new UsageError('--end is for apps: account app NAME --end NUMBER');
    if (values.revoke) throw new UsageError('--revoke is for lists: account list NAME --revoke');
    if (action === 'operator' && more.length === 0) return operator(config, name);
    if (action !== 'password' || name === undefined || more.length > 0)
      throw new UsageError(
        'give the action and the account: account password NAME, account operator NAME, account list NAME, account app NAME',
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

/** The password is shown once, though it is kept: whoever may run this command may make another. */
async function app(config: Config, name: string, wanted: string | undefined): Promise<void> {
  if (config.memberKey === undefined)
    throw new Error('MEMBER_KEY is not set; set the key that the service uses');
  const keys = memberKeys(config.memberKey, config.memberKeyOld);
  await using context = openContext(config, { name: 'account' });
  await requireSameKey(context.pool, keys);
  const accountId = await getAccountId(context.pool, name);
  if (wanted === undefined) {
    // Awaited here: the connections are closed when this function returns.
    await listApps(context.pool, accountId, name);
    return;
  }
  if (wanted.trim() === '' || wanted.length > MAX_APP_NAME_LENGTH)
    throw new UsageError(
      `name the app in 1 to ${MAX_APP_NAME_LENGTH} characters: account app ${name} AntennaPod`,
    );
  const added = await addAppPassword(context.pool, keys, { accountId, app: wanted.trim() });
  if (!added)
    throw new Error(
      `${name} has ${MAX_APP_PASSWORDS} app passwords already; end one first: account app ${name} --end NUMBER`,
    );
  console.log(
    `${added.password} is the password of ${name} for ${wanted.trim()}, with gPodder or Subsonic. It is not shown again; account app ${name} --end ${added.id} ends it`,
  );
}

const day = (at: Temporal.Instant): string => at.toString().slice(0, 10);

async function listApps(db: Queryable, accountId: number, name: string): Promise<void> {
  const rows = await listAppPasswords(db, accountId);
  if (rows.length === 0)
    return console.log(`${name} has no app passwords; account app ${name} APP makes one for an app`);
  for (const { id, app: label, created_at: made, used_at: used } of rows)
    console.log(`${id}  ${label}, made ${day(made)}, ${used ? `last used ${day(used)}` : 'never used'}`);
}

async function endApp(config: Config, name: string, number: string): Promise<void> {
  await using context = openContext(config, { name: 'account' });
  const accountId = await getAccountId(context.pool, name);
  const id = /^\d{1,15}$/.test(number) ? Number(number) : 0;
  if (!(await removeAppPassword(context.pool, accountId, id)))
    throw new Error(`${name} has no app password ${number}; account app ${name} shows those there are`);
  console.log(`app password ${number} of ${name} has ended; the app is signed out within half a minute`);
}

async function getAccountId(db: Queryable, name: string): Promise<number> {
  const id = await findAccountIdByUsername(db, name);
  if (id === undefined) throw new Error(`there is no account ${name}`);
  return id;
}
