import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Budgets } from '../../../src/core/accounts/budgets.ts';
import { deviceKey, openDevice } from '../../../src/core/accounts/devices/devices.ts';
import { memberKeys } from '../../../src/core/accounts/keys.ts';
import { PasswordLogins } from '../../../src/core/accounts/login/password-logins.ts';
import { Passwords } from '../../../src/core/accounts/login/passwords.ts';
import { addPartner, type PartnerRow } from '../../../src/core/accounts/partners/partners.ts';
import { Aliases } from '../../../src/core/directory/lookup/by-any-id.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { accountEndpoints } from '../../../src/protocols/radiotime/account/account.ts';
import { siteApi } from '../../../src/protocols/site/api/site-api.ts';
import { MEMBER_KEY, NO_BUDGETS, outcomeOf } from '../../apps/account-app.ts';
import { startServer } from '../../apps/http-server.ts';
import { openMailServer } from '../../servers/mail-server.ts';
import { type SeededDirectory, seededDirectory } from '../../content/seeded-directory.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';
import { OWN_PAGE } from '../../apps/site-app.ts';

/** `ORACLE_PAIRS=1000 node scripts/test.ts server/test/drills/attacks/oracle.test.ts` */
const PAIRS = Number(process.env['ORACLE_PAIRS'] ?? 150);
/** A median of few pairs on a busy machine is worth less. */
const WITHIN = PAIRS >= 1000 ? 0.03 : 0.1;
const ROUNDS = 3;

const keys = memberKeys(MEMBER_KEY);
const MANY = { perSecond: 1000, burst: 1_000_000 };
const UNLIMITED = { known: MANY, strangers: MANY, address: MANY, names: MANY };

let seeded: SeededDirectory;
let service: ServiceProcess;
let partner: PartnerRow | undefined;
before(async () => {
  seeded = await seededDirectory();
  const { pool, url } = seeded.database;
  partner = await addPartner(pool, { id: 'maker', name: 'A maker' });
  await using passwords = new Passwords({ keys });
  await pool.query("INSERT INTO accounts (id, username, password_hash) VALUES (7, 'Ann', $1)", [
    await passwords.hash('Secret1!'),
  ]);
  await pool.query("INSERT INTO usernames VALUES ('ann', 7)");
  await openDevice(pool, deviceKey(keys, 'maker', 'known'));
  service = await startService(url, { MEMBER_KEY, LEGACY_CREDENTIALS: 'allow' });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await seeded[Symbol.asyncDispose]();
});

type Ask = (n: number) => Promise<string>;

async function timed(ask: Ask, n: number): Promise<{ ms: number; body: string }> {
  const started = performance.now();
  const body = await ask(n);
  return { ms: performance.now() - started, body };
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** The medians of two questions that are asked in turns, as one over the other. */
async function ratio(known: Ask, unknown: Ask, restMs: number): Promise<number> {
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let n = 0; n < PAIRS; n++) {
    // Who comes first changes, for the second finds the processor warm.
    const order = n % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
    const bodies: Record<string, string> = {};
    for (const who of order) {
      const { ms, body } = await timed(who === 'known' ? known : unknown, n);
      times[who].push(ms);
      bodies[who] = body;
      if (restMs > 0) await sleep(restMs);
    }
    assert.equal(bodies['known'], bodies['unknown'], 'both are told the same');
  }
  return median(times.known) / median(times.unknown);
}

/** The closest of a few rounds: the machine's moods add to a difference and never take a real one away. */
async function indistinguishable(t: TestContext, known: Ask, unknown: Ask, restMs = 0): Promise<void> {
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ratios.push(await ratio(known, unknown, restMs));
    if (Math.abs((ratios.at(-1) ?? 0) - 1) <= WITHIN) break;
  }
  t.diagnostic(`known over unknown, ${PAIRS} pairs: ${ratios.map((value) => value.toFixed(3)).join(', ')}`);
  assert.ok(
    ratios.some((value) => Math.abs(value - 1) <= WITHIN),
    `medians differ: ${ratios.join(', ')}`,
  );
}

const textOf = async (url: string, form?: Record<string, string>, headers: Record<string, string> = {}) => {
  const response = await fetch(url, {
    headers,
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    signal: AbortSignal.timeout(10_000),
  });
  return { status: response.status, body: await response.text(), wait: response.headers.get('retry-after') };
};

test('a wrong password takes as long for a name that nobody has', async (t) => {
  const { pool } = seeded.database;
  await using passwords = new Passwords({ keys });
  await passwords.prepare();
  const logins = new PasswordLogins({ pool, keys, clock: systemClock, passwords, limits: UNLIMITED });
  const members = { pool, keys, logins, legacyCredentials: true };
  await using server = await startServer(
    accountEndpoints({ members: members, passwords, budgets: NO_BUDGETS }),
    {
      findPartner: () => partner,
    },
  );
  const sign = (username: string) => async (n: number) =>
    (
      await textOf(`${server.origin}/Account.ashx`, {
        c: 'auth',
        partnerId: 'maker',
        username,
        password: `wrong${n}`,
      })
    ).body;
  assert.equal(outcomeOf({ body: await sign('ann')(0) }), '401 validation.credentials');
  await indistinguishable(t, sign('ann'), sign('nobody1'));
});

test('asking for a link to a new password takes as long for a name that nobody has', async (t) => {
  const { database, directory } = seeded;
  const { pool } = database;
  await pool.query("UPDATE accounts SET email = 'ann@mail.example' WHERE id = 7");
  await using mail = await openMailServer();
  await using passwords = new Passwords({ keys });
  const logins = new PasswordLogins({ pool, keys, clock: systemClock, passwords });
  const members = { pool, keys, logins, legacyCredentials: true };
  const budgets = new Budgets(systemClock, NO_BUDGETS);
  const publicHosts = ['radio.test'];
  const deps = {
    directory,
    db: pool,
    aliases: new Aliases(pool),
    members,
    passwords,
    budgets,
    publicHosts,
  };
  await using server = await startServer([], { siteEndpoints: siteApi({ ...deps, mailer: mail.mailer }) });
  const headers = { ...OWN_PAGE, origin: 'http://radio.test' };
  const forget = (who: string) => async () => {
    const body = JSON.stringify({ who });
    const signal = AbortSignal.timeout(10_000);
    const answer = await fetch(`${server.origin}/listen/api/forgotten`, {
      method: 'POST',
      headers,
      body,
      signal,
    });
    return `${answer.status} ${await answer.text()}`;
  };
  // As many letters as a mailbox gets. Questions go on at a pace at which the queue behind them never fills.
  for (let count = 1; count <= 3; count++) {
    assert.equal(await forget('ann')(), '200 {"minutes":60}');
    await mail.letters('ann@mail.example', count);
  }
  await indistinguishable(t, forget('ann'), forget('nobody1'), 10);
});

const browse = (serial: string) => async (n: number) =>
  (await textOf(`${service.origin}/Browse.ashx?c=presets&partnerId=maker&x=${n}&serial=${serial}`)).body;

test('a device without presets takes as long as one that nobody knows', (t) =>
  indistinguishable(t, browse('known'), browse('other')));

/** A login that says in every header that it comes from somewhere else. */
function disguised(username: string, password: string) {
  const random = `203.0.113.${Math.floor(Math.random() * 250)}`;
  const names = ['x-forwarded-for', 'x-real-ip', 'x-client-ip', 'true-client-ip'];
  return textOf(
    `${service.origin}/Account.ashx`,
    { c: 'auth', partnerId: 'maker', username, password },
    { ...Object.fromEntries(names.map((name) => [name, random])), forwarded: `for=${random}` },
  );
}

test('no header changes who is limited, or how', async () => {
  for (const username of ['ann', 'nobody1']) {
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push((await disguised(username, `wrong${n}`)).status);
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 200), 429, 429], username);
  }
  const refused = await disguised('ann', 'Secret1!');
  assert.equal(outcomeOf(refused), '429 request.tooMany');
  assert.ok(Number(refused.wait) > 60);
});
