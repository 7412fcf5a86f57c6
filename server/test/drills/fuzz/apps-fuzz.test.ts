import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { AppLogins } from '../../../src/core/accounts/app-passwords/app-logins.ts';
import { addAppPassword } from '../../../src/core/accounts/app-passwords/app-passwords.ts';
import { requireSameKey } from '../../../src/core/accounts/key-state.ts';
import { memberKeys } from '../../../src/core/accounts/keys.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { MEMBER_KEY } from '../../apps/account-app.ts';
import { addApps, ANN } from '../../apps/apps-app.ts';
import { seededDatabase } from '../../database/database.ts';
import { type FuzzCaller, gpodderCall, subsonicCall } from '../../fuzz/app-calls.ts';
import type { FuzzCall } from '../../fuzz/calls.ts';
import { parseXml } from '../../fuzz/check-answer.ts';
import { Dice } from '../../fuzz/dice.ts';
import type { Outcome } from '../../fuzz/send.ts';
import { sendMutated, textOf } from '../../fuzz/send-mutated.ts';
import { startService } from '../../processes/service-process.ts';

/** `APP_REQUESTS=200000 APP_SEED=1 node scripts/test.ts server/test/drills/fuzz/apps-fuzz.test.ts` */
const REQUESTS = Number(process.env['APP_REQUESTS'] ?? 2000);
const SEED = Number(process.env['APP_SEED'] ?? randomInt(2 ** 31));

/** Throws for what no app could read. */
function requireReadable({ method }: FuzzCall, outcome: Outcome): undefined {
  const text = textOf(outcome);
  if (method === 'HEAD' || text === '') return;
  if (/xml|opml/.test(outcome.contentType)) parseXml(text);
  if (outcome.contentType.startsWith('application/json')) JSON.parse(text);
}

const CALLS = [gpodderCall, subsonicCall];

test(
  `${REQUESTS} mutated requests of apps are answered, and none by a failure`,
  { timeout: Math.max(600_000, REQUESTS * 20) },
  async (t) => {
    await using database = await seededDatabase();
    const { pool } = database;
    await addApps(pool);
    const keys = memberKeys(MEMBER_KEY);
    await requireSameKey(pool, keys);
    const { password = '', id = 0 } =
      (await addAppPassword(pool, keys, { accountId: ANN, app: 'fuzz' })) ?? {};
    const logins = new AppLogins({ db: pool, keys, clock: systemClock });
    const session = logins.sessionOf({ accountId: ANN, username: 'Ann', appId: id });
    const caller: FuzzCaller = { name: 'ann', password, cookie: `sessionid=${session}` };
    await using service = await startService(database.url, { MEMBER_KEY, LEGACY_CREDENTIALS: 'allow' });
    const dice = new Dice(SEED);
    const { sent, kinds, flaws, seconds } = await sendMutated({
      origin: service.origin,
      count: REQUESTS,
      make: () => dice.pick(CALLS)(dice, caller),
      judge: requireReadable,
    });
    t.diagnostic(
      `seed ${SEED}: ${sent} requests in ${seconds.toFixed(1)} s, ${JSON.stringify(Object.fromEntries(kinds))}`,
    );
    assert.deepEqual(flaws, [], `to see it again: APP_SEED=${SEED}`);
    const unexpected = service.log.filter((line) => /failed unexpectedly|nhandled/.test(line));
    assert.deepEqual(unexpected, []);
    for (const secret of [password, session])
      assert.ok(!service.log.some((line) => line.includes(secret)), 'a secret is in the log');
    for (const status of [200, 302, 400, 401, 404])
      assert.ok((kinds.get(String(status)) ?? 0) > 0, `no answer ${status} among ${REQUESTS}`);
    assert.ok((kinds.get('200') ?? 0) > REQUESTS / 8, `only ${kinds.get('200')} answers among ${REQUESTS}`);
    const { rows } =
      await pool.query(`SELECT preset_count, (SELECT count(*) FROM presets p JOIN folders f ON f.id = folder_id
      AND f.removed_at IS NULL WHERE p.account_id = ${ANN}) AS rows FROM accounts WHERE id = ${ANN}`);
    assert.equal(rows[0].preset_count, rows[0].rows, 'the count of presets is that of their rows');
  },
);
