import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase } from '../../../../test/database/database.ts';
import { createLog } from '../../../lib/log.ts';
import { Fault } from '../../../lib/fault.ts';
import { MAX_SELF_REGISTERED, openPartnerTable, unwritten } from './partner-table.ts';
import { addPartner, addPartnerItself, findPartner } from './partners.ts';

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

const log = createLog({ level: 'silent' });
const isInvalid = (error: unknown): boolean => error instanceof Fault && error.code === 'partner.invalid';

test('where partners are registered by the operator an unknown id is refused, and nothing is written', async () => {
  using table = await openPartnerTable(database.pool, log);
  await assert.rejects(table.admit('stranger'), isInvalid);
  assert.equal(await findPartner(database.pool, 'stranger'), undefined);
});

test('elsewhere an unknown id registers itself once, however many calls come at once', async () => {
  await using own = await testDatabase();
  using table = await openPartnerTable(own.pool, log, 'any');
  assert.equal(table.find('Kitchen.1'), undefined);
  const rows = await Promise.all(Array.from({ length: 20 }, () => table.admit('Kitchen.1')));
  assert.equal(new Set(rows).size, 1, 'one registration for all');
  const row = await findPartner(own.pool, 'Kitchen.1');
  assert.deepEqual([row?.registered_by, row?.serial_scope, row?.state], ['itself', 'Kitchen.1', 'active']);
  assert.deepEqual(table.find('Kitchen.1'), row);
});

test('what cannot be written down counts as it would be written', async () => {
  const written = await addPartnerItself(database.pool, 'Away.1', MAX_SELF_REGISTERED);
  assert.deepEqual(unwritten('Away.1'), written);
});

for (const [how, fail] of [
  ['refuses', () => Promise.reject(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))],
  ['is silent', () => new Promise<never>(() => undefined)],
] as const)
  test(`while the database ${how}, a new radio gets its menus, and is written down later`, async (t) => {
    await using own = await testDatabase();
    using table = await openPartnerTable(own.pool, log, 'any');
    const query = t.mock.method(own.pool, 'query', fail);
    assert.deepEqual(await table.admit('Kitchen.1'), unwritten('Kitchen.1'));
    query.mock.restore();
    await table.refresh();
    assert.equal(table.find('Kitchen.1'), undefined);
    assert.deepEqual(await table.admit('Kitchen.1'), await findPartner(own.pool, 'Kitchen.1'));
  });

test('a disabled id stays refused, also one that another process knows and this one does not yet', async () => {
  await using own = await testDatabase();
  await own.pool.query("UPDATE partners SET state = 'disabled' WHERE id = '16'");
  using table = await openPartnerTable(own.pool, log, 'any');
  await assert.rejects(table.admit('16'), isInvalid);
  await addPartner(own.pool, { id: 'late', name: 'Late' });
  await own.pool.query("UPDATE partners SET state = 'disabled' WHERE id = 'late'");
  await assert.rejects(table.admit('late'), isInvalid);
  assert.equal(table.find('late'), undefined);
  await addPartner(own.pool, { id: 'added', name: 'Added' });
  assert.equal((await table.admit('added')).registered_by, 'operator');
});

test('an id of no form that devices have is refused', async () => {
  using table = await openPartnerTable(database.pool, log, 'any');
  for (const id of ['', 'with space', '<b>', 'a&b', 'ümlaut', 'x'.repeat(41)])
    await assert.rejects(table.admit(id), isInvalid);
});

test('only so many register themselves; what the operator adds is not counted', async () => {
  await using own = await testDatabase();
  await own.pool.query(
    `INSERT INTO partners (id, name, serial_scope, registered_by)
     SELECT 'id' || n, 'x', 'x', 'itself' FROM generate_series(2, $1::int) AS n`,
    [MAX_SELF_REGISTERED],
  );
  using table = await openPartnerTable(own.pool, log, 'any');
  using other = await openPartnerTable(own.pool, log, 'any');
  assert.equal((await table.admit('the-last')).state, 'active');
  await assert.rejects(table.admit('one-more'), isInvalid);
  await assert.rejects(other.admit('one-more'), isInvalid, 'a process that has not read of the last');
  const { rows } = await own.pool.query("SELECT id FROM partners WHERE registered_by = 'itself'");
  assert.equal(rows.length, MAX_SELF_REGISTERED);
  await addPartner(own.pool, { id: 'one-more', name: 'One more' });
  assert.equal((await other.admit('one-more')).state, 'active');
});
