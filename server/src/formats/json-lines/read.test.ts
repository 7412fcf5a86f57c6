import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { MAX_ITEM_BYTES, readJsonItems } from './read.ts';

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const bytesOf = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? Buffer.from(text) : text;
const read = (text: string | Uint8Array, size = 3) =>
  Array.fromAsync(readJsonItems(inPieces(bytesOf(text), size)));
const values = async (text: string | Uint8Array, size?: number) =>
  (await read(text, size)).map((item) => ('value' in item ? item.value : item.error.slice(0, 8)));

const ODD = { name: 'a"b\\', text: '}],[{ \\" é 😀', list: [[1], { x: [] }] };

test('lines and arrays of any chunk size, plain or gzipped, give the same values', async () => {
  const lines = [JSON.stringify(ODD), '{"b":2}', '3'].join('\n');
  const array = `\n [ ${[JSON.stringify(ODD, undefined, 2), '{"b":2}', '3'].join(' ,\r\n')} ] \n`;
  for (const size of [1, 2, 7, 100_000]) {
    for (const text of [lines, array, `\ufeff${lines}`, `\ufeff${array}`]) {
      assert.deepEqual(await values(text, size), [ODD, { b: 2 }, 3], `${size}: ${text.slice(0, 5)}`);
      assert.deepEqual(await values(gzipSync(text), size), [ODD, { b: 2 }, 3]);
    }
  }
});

test('blank lines count but give nothing; a broken line is told with its number', async () => {
  const items = await read('{"a":1}\r\n\r\n{"a":\n{"a":2}\n');
  assert.deepEqual(
    items.map((item) => [item.number, 'value' in item ? item.value : 'error']),
    [
      [1, { a: 1 }],
      [3, 'error'],
      [4, { a: 2 }],
    ],
  );
});

test('empty input, empty arrays', async () => {
  for (const text of ['', '\n\n', '[]', ' [ \n ] ', ' '.repeat(70_000)])
    assert.deepEqual(await read(text, 999), []);
  assert.deepEqual(await values('[1,]'), [1]);
  assert.deepEqual(await values('[1,,2]'), [1, 'not JSON', 2]);
});

test('what is too long is told, and reading goes on after it', async () => {
  const long = JSON.stringify('x'.repeat(MAX_ITEM_BYTES));
  for (const text of [`1\n${long}\n2\n`, `[1,${long},2]`]) {
    const items = await read(text, 65_536);
    assert.deepEqual(
      items.map(({ number }) => number),
      [1, 2, 3],
    );
    assert.deepEqual(items[1], { number: 2, error: `longer than ${MAX_ITEM_BYTES} bytes` });
    assert.deepEqual(items[2], { number: 3, value: 2 });
  }
});

test('an array that is cut short, or goes on, is an error and not the end', async () => {
  for (const text of ['[{"a":1},{"a":', '[1,2', '[', '["a]']) {
    await assert.rejects(read(text), /cut short/, text);
  }
  await assert.rejects(read('[1][2]'), /more text after the end/);
  await assert.rejects(read('[1]\n{"a":1}'), /more text after the end/);
  assert.deepEqual(await values('[{"a":1},{"a":},{"a":2}]'), [{ a: 1 }, 'not JSON', { a: 2 }]);
});

test('any array of any values, cut anywhere, gives those values', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.jsonValue(), { maxLength: 8 }),
    fc.integer({ min: 1, max: 50 }),
    fc.constantFrom(0, 1, 2),
    async (list, size, indent) => {
      const text = JSON.stringify(list, undefined, indent);
      assert.deepEqual(await values(text, size), JSON.parse(text));
    },
  );
  await fc.assert(property, { numRuns: 200 });
});
