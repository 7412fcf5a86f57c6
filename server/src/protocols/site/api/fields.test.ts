import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fields } from './fields.ts';

const texts = (list: unknown): string[] => new Fields({ ids: list }).texts('ids');

test('a list has at most five hundred texts, and nothing else in it', () => {
  assert.equal(texts(Array.from({ length: 500 }, () => 's1')).length, 500);
  for (const list of [Array.from({ length: 501 }, () => 's1'), ['s1', 2], 's1', undefined])
    assert.throws(() => texts(list), { code: 'site.invalid' });
});
