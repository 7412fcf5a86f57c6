import { newSecret } from '../container/write-secrets.ts';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import type { Config } from '../../app/config.ts';
import { openContext } from '../../app/context.ts';
import { resealAppPasswords } from '../../core/accounts/app-passwords/app-passwords.ts';
import { findKeyState, requireSameKey } from '../../core/accounts/key-state.ts';
import { type KeyState, type MemberKeys, memberKeys } from '../../core/accounts/keys.ts';
import {
  countUnderOldKey,
  finishKey,
  hasKey,
  listRunningServers,
  switchKey,
  type UnderOldKey,
} from '../../core/accounts/rotate-key.ts';
import { UsageError } from '../command.ts';

const MAX_STATEMENT_MS = 600_000;

/** Replaces MEMBER_KEY step by step; without a step it says where the change stands and what comes next. */
export async function rotateKey(args: string[], config: Config): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { write: { type: 'string' }, forget: { type: 'boolean' } },
  });
  const [step, ...more] = positionals;
  if (more.length > 0 || (step !== undefined && step !== 'switch' && step !== 'finish'))
    throw new UsageError(
      'the steps are: config rotate-key, config rotate-key switch, config rotate-key finish',
    );
  if (config.memberKey === undefined)
    throw new Error(
      'MEMBER_KEY is not set: there is nothing to replace. longwave config key prints a first one',
    );
  await using context = openContext(config, { name: 'config', statementTimeoutMs: MAX_STATEMENT_MS });
  const keys = memberKeys(config.memberKey, config.memberKeyOld);
  await requireSameKey(context.pool, keys);
  const state = await findKeyState(context.pool);
  if (!state) throw new Error('the database knows no key');
  const prepared = memberKeys(config.memberKey).all[0]?.fingerprint;
  const next = prepared && !prepared.equals(state.fingerprint) ? prepared : undefined;
  if (state.earlier) {
    await resealAppPasswords(context.pool, keys);
    // Awaited here: the connections are closed when this function returns.
    await (step === 'finish' ? finish(context.pool, state, values.forget) : standing(context.pool, state));
    return;
  }
  if (step === 'finish') throw new Error('nothing is under an old key: MEMBER_KEY_OLD can be unset');
  if (next === undefined && step === 'switch')
    throw new Error('no new key is prepared: longwave config rotate-key prints one and says where to set it');
  if (next === undefined) begin(values.write);
  else await switchWhenReady(context.pool, keys, { state, next, isSwitch: step === 'switch' });
}

function begin(file: string | undefined): void {
  const key = newSecret();
  if (file !== undefined) writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
  console.log(file === undefined ? key : `the new key is in ${file}, which only you can read`);
  console.error(
    [
      '',
      'Nothing is changed yet. To replace the key without anybody noticing:',
      '1. Keep this key where you keep MEMBER_KEY, apart from the database; a backup of yesterday still needs the old one.',
      '2. For every server set MEMBER_KEY to the new key and MEMBER_KEY_OLD to the present one; restart one after another.',
      '3. longwave config rotate-key switch, with both settings, makes new hashes use the new key.',
      '4. longwave config rotate-key says what is still under the old key; longwave config rotate-key finish ends its time.',
    ].join('\n'),
  );
}

async function switchWhenReady(
  pool: Pool,
  keys: MemberKeys,
  { state, next, isSwitch }: { state: KeyState; next: Buffer; isSwitch: boolean },
): Promise<void> {
  const lacking = (await listRunningServers(pool)).filter((server) => !hasKey(server, next));
  const list = lacking.map(({ name, address }) => `\n- ${name} at ${address}`).join('');
  if (lacking.length > 0) {
    const what = `these servers do not have the new key yet:${list}\nRestart them with MEMBER_KEY and MEMBER_KEY_OLD first`;
    if (isSwitch) throw new Error(what);
    console.log(what);
    return;
  }
  if (!isSwitch) {
    console.log(
      'every connected server has the new key; longwave config rotate-key switch makes them use it',
    );
    return;
  }
  await switchKey(pool, state, next);
  keys.follow({ version: state.version + 1, fingerprint: next, earlier: state.fingerprint });
  await resealAppPasswords(pool, keys);
  console.log(
    'switched: new hashes use the new key, and each password and radio follows when it is next used. ' +
      'Keep MEMBER_KEY_OLD until longwave config rotate-key says that it can go',
  );
}

async function standing(pool: Pool, state: KeyState): Promise<void> {
  const left = await countUnderOldKey(pool, state);
  console.log(`still under the old key: ${sentence(left)}`);
  console.log(
    isNothing(left)
      ? 'the old key can go: longwave config rotate-key finish, then unset MEMBER_KEY_OLD'
      : 'These cannot be changed without their owners: a password when it is next used, a radio when it next calls, a session\n' +
          'when its page is next open. Wait for them, or give them up with longwave config rotate-key finish --forget: then such\n' +
          'passwords have to be reset by mail, such radios start without presets, and such sessions sign in again.',
  );
}

async function finish(pool: Pool, state: KeyState, forget = false): Promise<void> {
  const left = await countUnderOldKey(pool, state);
  if (!isNothing(left) && !forget)
    throw new Error(
      `still under the old key: ${sentence(left)}. Wait until they were used, or give them up with --forget`,
    );
  await finishKey(pool, state);
  console.log('finished: unset MEMBER_KEY_OLD and restart the servers one after another');
}

const isNothing = (left: UnderOldKey): boolean => Object.values(left).every((count) => count === 0);

const sentence = ({ passwords, devices, presets, sessions, mailed }: UnderOldKey): string =>
  `${passwords} passwords, ${devices} radios (with ${presets} presets that no named account has), ` +
  `${sessions} sessions of the site, ${mailed} mailed passwords or links`;
