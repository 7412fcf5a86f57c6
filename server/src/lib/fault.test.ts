import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutTrace } from './fault.ts';

test('an error without a trace says the same, and others keep theirs', () => {
  const quiet = withoutTrace(() => new TypeError('refused'));
  assert.ok(quiet instanceof TypeError);
  assert.equal(quiet.stack, 'TypeError: refused');
  assert.throws(() => withoutTrace(() => JSON.parse('{')), SyntaxError);
  assert.match(new Error('ours').stack ?? '', /fault\.test\.ts/);
});
