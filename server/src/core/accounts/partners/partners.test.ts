import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../../test/database/database.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROFILES } from '../../devices/profiles.ts';
import { addPartner, findPartner, listPartners } from './partners.ts';

const MIGRATION = readFileSync(
  join(import.meta.dirname, '../../../storage/db/migrations/0029_partners_of_devices.sql'),
  'utf8',
);

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
    relay: false,
    registered_by: 'operator',
  });
  assert.equal(await addPartner(pool, { id: 'maker-1', name: 'Other' }), undefined);
  const shared = await addPartner(pool, { id: '!app', name: 'App', serialScope: 'maker-1', contact: 'x' });
  assert.deepEqual([shared?.serial_scope, shared?.contact], ['maker-1', 'x']);
  assert.deepEqual(await findPartner(pool, 'maker-1'), added);
  for (const id of ['', 'MAKER-1', 'maker-1 ', 'maker']) assert.equal(await findPartner(pool, id), undefined);
  const listed = await listPartners(pool);
  assert.deepEqual(
    listed.filter((row) => row.registered_by === 'operator'),
    [shared, added],
  );
});

test('an id that no device could send is refused', async () => {
  await using database = await testDatabase();
  for (const id of ['', 'with space', 'ümlaut', 'x'.repeat(65)]) {
    await assert.rejects(addPartner(database.pool, { id, name: 'X', serialScope: 'x' }), /partners_id_check/);
  }
});

test('the ids that known devices have built in are there from the start, each as its maker spells it', async () => {
  await using database = await testDatabase();
  const builtIn = (await listPartners(database.pool)).filter((row) => row.registered_by === 'longwave');
  const devices = PROFILES.flatMap(({ match }) => match.partnerIds);
  const missing = devices.filter((id) => !builtIn.some((row) => row.id === id));
  assert.deepEqual(missing, []);
  assert.ok(builtIn.every((row) => row.state === 'active' && row.serial_scope === row.id));
});

test('a row that the operator has under such an id stays as it is when the known ones come', async () => {
  await using database = await testDatabase();
  const { pool } = database;
  await pool.query(
    "UPDATE partners SET name = 'Mine', state = 'disabled', registered_by = 'operator' WHERE id = '15'",
  );
  const [, insert = ''] = MIGRATION.split(/^(?=INSERT)/m);
  await pool.query(insert);
  assert.deepEqual(await findPartner(pool, '15').then((row) => [row?.name, row?.state, row?.registered_by]), [
    'Mine',
    'disabled',
    'operator',
  ]);
});
