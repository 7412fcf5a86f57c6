import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { addPartner, findPartner, listPartners } from './partners.ts';

test('partners are added once, found by their exact id, and listed', async () => {
  await using database = await testDatabase();
  const { pool } = database;
  const added = await addPartner(pool, { id: 'maker-1', name: 'Maker' });
  assert.deepEqual(added, {
    id: 'maker-1',
    name: 'Maker',
    state: 'active',
    serial_scope: 'maker-1',
    contact: null,
    stations_per_group: 50,
    shows_per_group: 10,
    requests_per_second: null,
    formats: null,
    may_forward_addresses: true,
    device: null,
  });
  assert.equal(await addPartner(pool, { id: 'maker-1', name: 'Other' }), undefined);
  const shared = await addPartner(pool, { id: '!app', name: 'App', serialScope: 'maker-1', contact: 'x' });
  assert.deepEqual([shared?.serial_scope, shared?.contact], ['maker-1', 'x']);
  assert.deepEqual(await findPartner(pool, 'maker-1'), added);
  for (const id of ['', 'MAKER-1', 'maker-1 ', 'maker']) assert.equal(await findPartner(pool, id), undefined);
  assert.deepEqual(await listPartners(pool), [shared, added]);
});

test('an id that no device could send is refused', async () => {
  await using database = await testDatabase();
  for (const id of ['', 'with space', 'ümlaut', 'x'.repeat(65)]) {
    await assert.rejects(addPartner(database.pool, { id, name: 'X', serialScope: 'x' }), /partners_id_check/);
  }
});
