import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCsv } from './write-csv.ts';

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
