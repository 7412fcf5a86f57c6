import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../../test/database/database.ts';
import { Fault } from '../../../lib/fault.ts';
import { createPool } from '../../../storage/db/pool.ts';
import { Aliases } from './by-any-id.ts';

const database = await testDatabase();
after(() => database[Symbol.asyncDispose]());
await database.pool.query(`INSERT INTO aliases (scheme, foreign_id, kind, item_id)
  VALUES ('old-radio', 's24896', 's', 12), ('radio-browser', '9608-ab', 's', 13), ('zz', 's24896', 's', 14)`);

test('an id from elsewhere leads to the item of ours', async () => {
  const aliases = new Aliases(database.pool);
  assert.deepEqual(await aliases.find('s24896'), { letter: 's', number: 12 });
  assert.equal(await aliases.translate('9608-ab'), 's13');
  assert.equal(await aliases.translate('s1'), 's1');
});

test('what cannot be an id is not asked for', async () => {
  const asked = new Aliases({ query: () => assert.fail('asked') });
  for (const id of ['', 'a b', 'x'.repeat(101), "';--"]) assert.equal(await asked.find(id), undefined);
});

test('without a database an unknown id says so', async () => {
  const pool = createPool({ databaseUrl: 'postgres://127.0.0.1:1/none', size: 1, applicationName: 'test' });
  await assert.rejects(
    new Aliases(pool).find('s24896'),
    (error) => error instanceof Fault && error.code === 'service.unavailable',
  );
  await pool.end();
});
