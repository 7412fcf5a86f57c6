import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, cameThrough, columnsTo, queryOf } from './columns.ts';

test('an address is the protocol’s own query, without who asks', () => {
  assert.equal(queryOf('id=g1310&filter=p&partnerId=x&serial=y&locale=de'), 'id=g1310&filter=p');
  assert.equal(queryOf(''), '');
  assert.equal(addressOf(queryOf('c=music')), '/browse?c=music');
  assert.equal(addressOf(''), '/browse');
});

test('what was opened stands beside what it was opened from', () => {
  assert.deepEqual(columnsTo('', undefined), ['']);
  const first = columnsTo('c=music', cameThrough([''], 0));
  assert.deepEqual(first, ['', 'c=music']);
  const second = columnsTo('id=g1', cameThrough(first, 1));
  assert.deepEqual(second, ['', 'c=music', 'id=g1']);
  assert.deepEqual(columnsTo('c=talk', cameThrough(second, 0)), ['', 'c=talk']);
});

test('a shared address opens beside the index, and no state of others is believed', () => {
  for (const state of [undefined, null, 'x', {}, { browsed: 'x' }, { browsed: [7, null] }])
    assert.deepEqual(columnsTo('id=g1', state), ['', 'id=g1']);
  const many = { browsed: Array.from({ length: 100 }, (_, n) => `id=g${n + 2}`) };
  assert.equal(columnsTo('id=g1', many).length, 14);
  assert.deepEqual(columnsTo('id=g1', { browsed: ['id=g1', ''] }), ['', 'id=g1']);
});
