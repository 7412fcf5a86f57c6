import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHeard } from './heard.ts';

test('what a tab heard before it was reloaded is read with care', () => {
  const item = { kind: 'station', guideId: 's1', name: 'Harbour Folk' };
  assert.deepEqual(parseHeard(JSON.stringify({ item, isOn: true })), { item, isOn: true });
  assert.deepEqual(parseHeard(JSON.stringify({ item })), { item, isOn: false });
  for (const text of [
    null,
    '',
    'null',
    '{}',
    '{"item":null}',
    '{"item":{"guideId":"s1","kind":"x","name":"y"}}',
  ])
    assert.equal(parseHeard(text), undefined, String(text));
});
