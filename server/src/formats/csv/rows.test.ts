import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCsv } from './rows.ts';

test('cells with commas, quotes and line breaks are quoted', () => {
  assert.equal(writeCsv([['a', 'b,c', 'd"e', 'f\ng', '']]), 'a,"b,c","d""e","f\ng",\r\n');
});

for (const begin of ['=', '+', '-', '@', '\t', '\r']) {
  test(`a cell that begins with ${JSON.stringify(begin)} is no formula`, () => {
    const [cell = ''] = writeCsv([[`${begin}cmd|' /C calc'!A0`]]).split('\r\n');
    assert.match(cell, /^"?'/);
  });
}

test('what looks like one further on is left as it is', () => {
  assert.equal(writeCsv([['a=1', "'x", '1-2']]), "a=1,'x,1-2\r\n");
});

test('a number is no formula, whatever its sign', () => {
  assert.equal(writeCsv([['-8.47', '+5', '-1e-7', '-1+2']]), "-8.47,+5,-1e-7,'-1+2\r\n");
});
