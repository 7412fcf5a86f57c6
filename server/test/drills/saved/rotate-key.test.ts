import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../../../scripts/services/service.ts';
import { register } from '../../../src/core/accounts/account-lifecycle.ts';
import { deviceKey, hashesOf, openDevice } from '../../../src/core/accounts/devices/devices.ts';
import { requireSameKey } from '../../../src/core/accounts/key-state.ts';
import { memberKeys } from '../../../src/core/accounts/keys.ts';
import { Passwords } from '../../../src/core/accounts/login/passwords.ts';
import { addPartner } from '../../../src/core/accounts/partners/partners.ts';
import { FAST_HASHING } from '../../apps/account-app.ts';
import { seededDatabase, type TestDatabase } from '../../database/database.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';
import { readLedger } from './preset-ledger.ts';
import { PARTNER, Writers } from './preset-writers.ts';

const OLD = 'the old key of a drill, which protects nobody';
const NEW = 'the new key of a drill, which protects nobody';
const PASSWORD = 'sesame12';
/** Few: what is tried here are the moments at which servers change, not how much they bear. */
const WRITERS = 4;
const NAMES = ['ann', 'bob', 'quiet'];
const PLACE = { countryId: 1, regionId: 1, latitude: 0, longitude: 0, zone: 'UTC' };

let database: TestDatabase;
let writers: Writers;
const servers: ServiceProcess[] = [];
let turn = 0;

before(async () => {
  database = await seededDatabase();
  const { pool } = database;
  await addPartner(pool, { id: PARTNER, name: 'A drill' });
  const keys = memberKeys(OLD);
  await requireSameKey(pool, keys);
  await using passwords = new Passwords({ keys, hashing: FAST_HASHING });
  for (const username of NAMES) {
    const passwordHash = await passwords.hash(PASSWORD);
    const account = { username, email: `${username}@mail.example`, passwordHash, place: PLACE };
    await register(pool, account, deviceKey(keys, PARTNER, `radio of ${username}`));
  }
  const { rows } = await pool.query<{ id: number }>('SELECT id FROM stations ORDER BY id LIMIT 40');
  writers = new Writers(
    () => servers[turn++ % servers.length]?.origin ?? '',
    rows.map(({ id }) => `s${id}`),
    { count: WRITERS },
  );
});
after(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const start = (settings: NodeJS.ProcessEnv): Promise<ServiceProcess> =>
  startService(database.url, { LEGACY_CREDENTIALS: 'allow', MEMBER_KEY_OLD: '', ...settings });

/** The new one answers before the old one is stopped, and calls under way are finished. */
async function replace(place: number, settings: NodeJS.ProcessEnv): Promise<void> {
  const [earlier] = servers.splice(place, 1, await start(settings));
  await earlier?.[Symbol.asyncDispose]();
}

const BOTH = { MEMBER_KEY: NEW, MEMBER_KEY_OLD: OLD };

/** Beside the load, so that nothing here may wait for it in this process. */
async function rotate(...args: string[]): Promise<{ code: number; output: string }> {
  const main = join(import.meta.dirname, '../../../src/main.ts');
  const env = { ...process.env, DATABASE_URL: database.url, ...BOTH };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, 'config', 'rotate-key', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: stdout + stderr }),
    );
  });
}

/** What a server answers that had too much to do, on a machine that is busy with other things. */
const LATER = /<status>50[34]<|^HTTP 408/;

/** Of one of the servers. One that has too much to do is asked again, as a radio would; any other answer is its word. */
async function call(place: number, page: string, query: Record<string, string>): Promise<string> {
  let answer = '';
  for (let tries = 0; tries < 30; tries++) {
    answer = await callOnce(place, page, query);
    if (!LATER.test(answer)) break;
    await sleep(1000);
  }
  return answer;
}

/** Of the server in its place where it was stopped just then. */
async function callOnce(place: number, page: string, query: Record<string, string>): Promise<string> {
  const parameters = new URLSearchParams({ partnerId: PARTNER, ...query }).toString();
  const server = servers[place];
  try {
    const response = await fetch(`${server?.origin}/${page}?${parameters}`);
    return response.status === 408 ? 'HTTP 408' : await response.text();
  } catch (error) {
    if (servers[place] === server) throw error;
    return callOnce(place, page, query);
  }
}

const signIn = async (place: number, username: string): Promise<void> => {
  const answer = await call(place, 'Account.ashx', { c: 'auth', username, password: PASSWORD });
  assert.match(answer, /<status>200</, `${username} is locked out: ${answer}`);
};

let radios = 0;

/** Radios that were never seen save something through every server at the same moment: each is one device with all of it. */
async function newRadio(): Promise<void> {
  const serial = `new ${radios++}`;
  const answers = await Promise.all(
    servers.map((_server, place) =>
      call(place, 'Preset.ashx', { c: 'add', serial, url: `http://stream.example.net/new${place}` }),
    ),
  );
  for (const answer of answers) assert.match(answer, /<status>200</, answer);
}

/** People sign in and buy radios until the work is done; the first who is turned away ends it. */
async function everybodyDuring(work: () => Promise<void>): Promise<void> {
  const done = new AbortController();
  const people = async (): Promise<void> => {
    while (!done.signal.aborted) {
      for (const place of servers.keys()) for (const name of ['ann', 'bob']) await signIn(place, name);
      await newRadio();
      await sleep(200);
    }
  };
  const meeting = people();
  await Promise.race([writers.during(work), meeting]);
  done.abort();
  await meeting;
}

test('the key is replaced under load on two servers, and nobody notices', async () => {
  const { pool } = database;
  servers.push(await start({ MEMBER_KEY: OLD }), await start({ MEMBER_KEY: OLD }));
  await openDevice(pool, deviceKey(memberKeys(OLD), PARTNER, 'quiet radio'));
  await everybodyDuring(async () => {
    await writers.healed(60_000, 20);
    await replace(0, BOTH);
    await writers.healed(60_000, 20);
    const early = await rotate('switch');
    assert.equal(early.code, 1, 'one server does not know the new key');
    assert.match(early.output, /do not have the new key yet:\n- longwave serve, key [0-9a-f]{8} at/);
    await replace(1, BOTH);
    await writers.healed(60_000, 20);
    const switched = await rotate('switch');
    assert.equal(switched.code, 0, switched.output);
    const [first] = (await pool.query('SELECT count(*) FROM devices WHERE key_version = 2')).rows;
    await waitUntil(
      'radios under the new key',
      async () => {
        const [now] = (await pool.query('SELECT count(*) FROM devices WHERE key_version = 2')).rows;
        return now.count > first.count + 4;
      },
      60_000,
    );
    await writers.healed(60_000, 20);
  });
  // On a busy machine this server may not have seen the switch yet, and nobody may have signed in since.
  let standing = '';
  await waitUntil(
    'the passwords of who signs in under the new key',
    async () => {
      for (const name of ['ann', 'bob']) await signIn(0, name);
      standing = (await rotate()).output;
      return /still under the old key: 1 passwords, \d+ radios/.test(standing);
    },
    60_000,
  );
  // Radios that call no more are told of: nobody else knows their serials.
  assert.match(standing, /cannot be changed without their owners/);
  const refused = await rotate('finish');
  assert.equal(refused.code, 1);
  assert.match(refused.output, /1 passwords, \d+ radios/);

  // Then all of them call once.
  for (const name of NAMES) {
    await signIn(0, name);
    await call(0, 'Browse.ashx', { serial: `radio of ${name}` });
  }
  await call(0, 'Browse.ashx', { serial: 'quiet radio' });
  for (let radio = 0; radio < radios; radio++) await call(0, 'Browse.ashx', { serial: `new ${radio}` });
  for (const serial of new Set([...writers.told.values()].map((told) => told.serial)))
    await call(0, 'Browse.ashx', { serial });
  await waitUntil(
    'every radio under the new key',
    async () => {
      const { rowCount } = await pool.query('SELECT FROM devices WHERE key_version < 2 LIMIT 1');
      return rowCount === 0;
    },
    60_000,
  );
  const finished = await rotate('finish');
  assert.equal(finished.code, 0, finished.output);

  await replace(0, { MEMBER_KEY: NEW });
  for (const place of servers.keys()) for (const name of NAMES) await signIn(place, name);
  const keys = memberKeys(NEW);
  const { saved, ...wrong } = await readLedger(pool, keys, writers.told.values());
  assert.deepEqual(wrong, { lost: [], done: [], twice: [], unsound: [] });
  assert.ok(saved >= 80, `${saved} presets`);
  await assertEachRadioIsOne();
  console.log(
    `${writers.acknowledged} saves acknowledged, ${writers.refused} refused, ${writers.unknown} unanswered, ${radios} new radios on two servers: nothing lost`,
  );
});

/** Of the radios that saved on both servers at once: one row, both presets. And nothing is left under the old key. */
async function assertEachRadioIsOne(): Promise<void> {
  const keys = memberKeys(NEW, OLD);
  for (let radio = 0; radio < radios; radio++) {
    const { rows } = await database.pool.query(
      `SELECT (SELECT count(*) FROM presets WHERE presets.account_id = devices.account_id) AS presets FROM devices
       WHERE serial_hash = ANY ($1)`,
      [hashesOf(deviceKey(keys, PARTNER, `new ${radio}`))],
    );
    assert.deepEqual(rows, [{ presets: 2 }], `radio ${radio}`);
  }
  const { rows: copies } = await database.pool.query(
    `SELECT username FROM accounts a JOIN account_devices c ON c.account_id = a.id
     JOIN devices d ON d.account_id = a.id AND d.serial_hash = c.serial_hash AND d.serial_hash = a.device_hash
     WHERE d.key_version = 2 ORDER BY 1`,
  );
  assert.deepEqual(
    copies,
    NAMES.map((username) => ({ username })),
  );
}
