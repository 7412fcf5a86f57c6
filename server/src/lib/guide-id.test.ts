import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guideId, numberOf, parseGuideId } from './guide-id.ts';

test('a guide ID is one known letter and digits', () => {
  assert.deepEqual(parseGuideId('s123'), { letter: 's', number: 123 });
  assert.deepEqual(parseGuideId('r0'), { letter: 'r', number: 0 });
  for (const text of ['', 's', '123', 'S1', 's1-5', 's 1', 'z1', 's-1', 's1.5', 's1e3', 'ss1', 's１']) {
    assert.equal(parseGuideId(text), undefined, text);
  }
});

test('a number beyond what the database and JavaScript hold exactly is no guide ID', () => {
  assert.deepEqual(parseGuideId('t9007199254740991'), { letter: 't', number: Number.MAX_SAFE_INTEGER });
  assert.equal(parseGuideId('t9007199254740992'), undefined);
  assert.equal(parseGuideId('s99999999999999999999'), undefined);
});

test('numberOf reads one kind only', () => {
  assert.equal(numberOf('s', 's7'), 7);
  assert.equal(numberOf('s', 'p7'), undefined);
  assert.equal(guideId('s', 7), 's7');
});
