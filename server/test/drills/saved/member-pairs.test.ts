import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DatabaseError } from 'pg';
import { closeAccount, register, reopenAccount } from '../../../src/core/accounts/account-lifecycle.ts';
import {
  type DeviceKey,
  deviceKey,
  listAccountDevices,
  openDevice,
} from '../../../src/core/accounts/devices/devices.ts';
import {
  unlinkDevice,
  linkDevice,
  addPairingCode,
  redeemPairingCode,
} from '../../../src/core/accounts/devices/link-device.ts';
import { memberKeys } from '../../../src/core/accounts/keys.ts';
import { removePreset } from '../../../src/core/accounts/presets/arrange-presets.ts';
import { addFolder, removeFolder } from '../../../src/core/accounts/presets/folders.ts';
import { importPresets } from '../../../src/core/accounts/presets/import-presets.ts';
import { addPreset, setPreset } from '../../../src/core/accounts/presets/save-preset.ts';
import { purge } from '../../../src/core/accounts/retention.ts';
import { undoDevice } from '../../../src/core/accounts/undo.ts';
import { transaction } from '../../../src/storage/db/transaction.ts';
import { type TestDatabase, testDatabaseWithPlaces } from '../../database/database.ts';
import { auditMembers } from '../../database/schema/member-audit.ts';

/** `PAIR_ROUNDS=20 node scripts/test.ts server/test/drills/saved/member-pairs.test.ts` */
const ROUNDS = Number(process.env['PAIR_ROUNDS'] ?? 2);
/** Of each of a pair at once. */
const TIMES = 3;

const keys = memberKeys('one key of at least thirty-two characters');
let database: TestDatabase;
before(async () => {
  database = await testDatabaseWithPlaces();
});
after(() => database[Symbol.asyncDispose]());

/** An account with a name, and a radio on which something was saved before. */
interface House {
  account: number;
  device: DeviceKey;
}

type Operation = (house: House) => Promise<unknown>;

const station = (itemId: number) => ({ kind: 's' as const, itemId, label: 'A station' });

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'save on the radio': async ({ device }) =>
    addPreset(database.pool, await openDevice(database.pool, device), undefined, station(1)),
  'save at the site': ({ account }) => addPreset(database.pool, account, undefined, station(2)),
  'put on a button': ({ account }) =>
    setPreset(database.pool, account, { folderId: undefined, number: 1 }, station(3)),
  'remove a preset': ({ account }) =>
    removePreset(database.pool, account, undefined, { kind: 's', itemId: 2 }),
  'import a list': ({ account }) =>
    importPresets(database.pool, account, [{ item: station(4), folder: 'More', number: undefined }]),
  'make and remove a folder': async ({ account }) =>
    removeFolder(database.pool, account, await addFolder(database.pool, account, 'More')),
  join: ({ account, device }) =>
    transaction(database.pool, (client) => linkDevice(client, account, device, { isOneOfSeveral: true })),
  pair: async ({ account, device }) => {
    const code = await addPairingCode(database.pool, keys, device);
    await transaction(database.pool, async (client) => {
      const found = await redeemPairingCode(client, keys, code);
      await listAccountDevices(client, account);
      if (found) await linkDevice(client, account, found, { isOneOfSeveral: true });
    });
  },
  drop: ({ device }) => transaction(database.pool, (client) => unlinkDevice(client, device, undefined)),
  undo: ({ device }) =>
    transaction(database.pool, (client) => undoDevice(client, device, { isOneOfSeveral: true })),
  close: ({ account }) => closeAccount(database.pool, account),
  reopen: ({ account }) => reopenAccount(database.pool, account),
  forget: () => purge(database.pool),
};

let houses = 0;
async function openHouse(): Promise<House> {
  const { pool } = database;
  const number = (houses += 1);
  const device = deviceKey(keys, 'maker', `serial ${number}`);
  await addPreset(pool, await openDevice(pool, device), undefined, station(9));
  const { rows } = await pool.query<{ country: number; region: number }>(
    'SELECT id AS country, region_id AS region FROM countries LIMIT 1',
  );
  const [first] = rows;
  assert.ok(first);
  const place = {
    countryId: first.country,
    regionId: first.region,
    latitude: 0,
    longitude: 0,
    zone: 'Etc/UTC',
  };
  const name = `house${number}`;
  const made = { username: name, passwordHash: 'x', email: `${name}@mail.example`, place };
  return { account: await register(pool, made, undefined), device };
}

/** What may have happened to the radio before. */
const BEFORE: Readonly<Record<string, (house: House) => Promise<unknown>>> = {
  nothing: async () => undefined,
  joined: (house) => OPERATIONS['join']?.(house) ?? Promise.resolve(),
  dropped: async (house) => {
    await OPERATIONS['join']?.(house);
    await OPERATIONS['drop']?.(house);
  },
};

/** A refusal in words is an answer; what PostgreSQL itself refuses is none. */
async function troubleOf(operation: Operation, house: House): Promise<string | undefined> {
  try {
    await operation(house);
    return undefined;
  } catch (error) {
    return error instanceof DatabaseError ? `${error.code} ${error.message}` : undefined;
  }
}

test(`no two operations of an account wait for each other, ${ROUNDS} times each pair`, async (t) => {
  const trouble = new Set<string>();
  const names = Object.keys(OPERATIONS);
  const pairs = names.flatMap((one, place) => names.slice(place + 1).map((other) => [one, other] as const));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [one, other] of pairs)
      for (const [state, prepare] of Object.entries(BEFORE)) {
        const house = await openHouse();
        await prepare(house);
        const all = Array.from({ length: TIMES }, () => [one, other]).flat();
        const outcomes = await Promise.all(
          all.map((name) => troubleOf(OPERATIONS[name] ?? assert.fail(name), house)),
        );
        for (const outcome of outcomes)
          if (outcome !== undefined) trouble.add(`${one} beside ${other}, ${state}: ${outcome}`);
      }
  t.diagnostic(`${pairs.length} pairs, ${Object.keys(BEFORE).length} states, ${ROUNDS} rounds`);
  assert.deepEqual([...trouble], []);
  assert.deepEqual(await auditMembers(database.pool), []);
});
