import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSavedAddress } from './preset-rules.ts';

const ofLength = (length: number): string => 'http://a.example/'.padEnd(length, 'x');

test('an address of up to 2,048 characters is saved, and no longer one', () => {
  assert.equal(parseSavedAddress(` ${ofLength(2048)} `), ofLength(2048));
  assert.equal(parseSavedAddress(ofLength(2049)), undefined);
});
