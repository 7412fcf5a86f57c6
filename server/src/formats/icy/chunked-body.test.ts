import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChunkedBody } from './chunked-body.ts';

function readIn(size: number, text: string): { body: string; isDone: boolean } {
  const [bytes, chunked] = [Buffer.from(text), new ChunkedBody()];
  let body = '';
  for (let at = 0; at < bytes.length; at += size)
    body += chunked.push(bytes.subarray(at, at + size)).toString();
  return { body, isDone: chunked.isDone };
}

const good: [name: string, text: string, body: string, isDone: boolean][] = [
  ['two chunks', '5\r\nHello\r\n6\r\n world\r\n0\r\n\r\n', 'Hello world', true],
  ['capital digits, and something said about a chunk', 'A;x="y"\r\n0123456789\r\n00\r\n', '0123456789', true],
  ['bare line feeds', '3\nabc\n0\n', 'abc', true],
  ['what comes after the last', '1\r\na\r\n0\r\nx: y\r\n\r\nmore', 'a', true],
  ['a chunk that has not ended', 'ff\r\nabc', 'abc', false],
  ['nothing yet', '1', '', false],
];
for (const [name, text, body, isDone] of good) {
  test(`${name}, in pieces of any size`, () => {
    for (const size of [1, 2, 3, 1000]) assert.deepEqual(readIn(size, text), { body, isDone });
  });
}

const bad: [name: string, text: string, why: RegExp][] = [
  ['a length that is none', 'zz\r\n', /no number/],
  ['a negative length', '-1\r\n', /no number/],
  ['no length', '\r\n', /no number/],
  ['a length beyond all numbers', `${'f'.repeat(17)}\r\n`, /no number/],
  ['a length that nobody believes', 'ffffffff\r\n', /none to believe/],
  ['a chunk longer than it said', '1\r\nabc\r\n', /longer than it said/],
  ['a comment without end', `1;${'x'.repeat(300)}`, /too much/],
];
for (const [name, text, why] of bad) {
  test(`${name} is refused in pieces of any size`, () => {
    for (const size of [1, 7, 1000])
      assert.throws(() => readIn(size, text), { name: 'BadAnswer', message: why });
  });
}
