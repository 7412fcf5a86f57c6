import assert from 'node:assert/strict';
import test from 'node:test';
import { parseCode, writeCode } from './code.ts';

test('a code is shown as the radio shows it, however it is typed', () => {
  assert.equal(writeCode('abcd'), 'ABCD');
  assert.equal(writeCode('abcde'), 'ABCD E');
  assert.equal(writeCode('ab-cd ef.gh'), 'ABCD EFGH');
  assert.equal(writeCode('abcdefghijk'), 'ABCD EFGH');
  assert.equal(writeCode(writeCode('abcdefgh')), 'ABCD EFGH');
});

test('a code is one when all of it is there', () => {
  assert.equal(parseCode('abcd efgh'), 'ABCDEFGH');
  assert.equal(parseCode('abcd efg'), undefined);
  assert.equal(parseCode(''), undefined);
});
