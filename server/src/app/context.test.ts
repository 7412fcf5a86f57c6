import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBlackHole } from '../../test/internet/black-hole.ts';
import { testDatabase } from '../../test/database/database.ts';
import { readSettings } from './config.ts';
import { openContext } from './context.ts';

const database = await testDatabase();
after(() => database[Symbol.asyncDispose]());

/** Longer than a call waits for a connection (storage/db/pool.ts), shorter than a command does. */
const BUSY_MS = 2500;

/** Asks a database that takes so long to say anything. */
async function askWhileBusy(isService: boolean): Promise<unknown> {
  await using network = await startBlackHole(Number(new URL(database.url).port));
  network.hold();
  const config = { ...readSettings().config, databaseUrl: network.urlOf(database.url) };
  await using context = openContext(config, { name: 'test', isService });
  const asked = context.pool.query('SELECT 1 AS one').then(({ rows }) => rows);
  const [answer] = await Promise.allSettled([asked, sleep(BUSY_MS).then(() => network.resume())]);
  if (answer.status === 'rejected') throw answer.reason;
  return answer.value;
}

test('a command waits for a database that is busy for some seconds', async () => {
  assert.deepEqual(await askWhileBusy(false), [{ one: 1 }]);
});

test('a service does not, for the radio that asked it waits as well', async () => {
  await assert.rejects(askWhileBusy(true), /timeout/);
});
