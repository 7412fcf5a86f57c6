import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase } from '../../test/database.ts';
import { createLog } from '../lib/log.ts';
import { openPartnerTable } from './partner-table.ts';
import { addPartner } from './partners.ts';

const database = await testDatabase();
after(() => database[Symbol.asyncDispose]());

test('partners are found in memory, and a new one within half a minute', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  await addPartner(database.pool, { id: 'first', name: 'First' });
  using table = await openPartnerTable(database.pool, createLog({ level: 'silent' }));
  assert.equal(table.find('first')?.name, 'First');
  await database.pool.query("UPDATE partners SET state = 'disabled' WHERE id = 'first'");
  await addPartner(database.pool, { id: 'second', name: 'Second' });
  assert.equal(table.find('second'), undefined);
  mock.timers.tick(30_000);
  mock.timers.reset();
  for (let tries = 0; tries < 100 && !table.find('second'); tries++) await sleep(20);
  assert.equal(table.find('second')?.stations_per_group, 50);
  assert.equal(table.find('first'), undefined, 'disabled is as good as unknown');
});
