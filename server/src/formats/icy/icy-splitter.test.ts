import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IcySplitter, parseMetaint } from './icy-splitter.ts';

function block(text: string): Buffer {
  const units = Math.ceil(Buffer.byteLength(text) / 16);
  const bytes = Buffer.alloc(1 + 16 * units);
  bytes[0] = units;
  bytes.write(text, 1);
  return bytes;
}

function splitIn(
  size: number,
  metaint: number | undefined,
  bytes: Buffer,
): { audio: string; titles: string[] } {
  const splitter = new IcySplitter(metaint);
  const audio: Buffer[] = [];
  const titles: string[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const split = splitter.push(bytes.subarray(at, at + size));
    audio.push(...split.audio);
    titles.push(...split.titles);
  }
  return { audio: Buffer.concat(audio).toString('latin1'), titles };
}

const STREAM = Buffer.concat([
  Buffer.from('abcde'),
  block("StreamTitle='';"),
  Buffer.from('fghij'),
  block(''),
  Buffer.from('klmno'),
  block("StreamTitle='It's a 'quoted' title';StreamUrl='';"),
  Buffer.from('pqrst'),
  block("StreamUrl='http://radio.example.net/';"),
  Buffer.from('uvw'),
]);

for (const size of [1, 3, 5, 6, 17, 1000]) {
  test(`sound and titles in pieces of ${size}`, () => {
    assert.deepEqual(splitIn(size, 5, STREAM), {
      audio: 'abcdefghijklmnopqrstuvw',
      titles: ['', "It's a 'quoted' title"],
    });
  });
}

test('the longest block there is', () => {
  const bytes = Buffer.concat([
    Buffer.from('a'),
    block(`StreamTitle='${'x'.repeat(4060)}';`),
    Buffer.from('b'),
  ]);
  assert.deepEqual(splitIn(100, 1, bytes), { audio: 'ab', titles: ['x'.repeat(256)] });
});

test('without a distance that can be believed all is sound', () => {
  for (const metaint of [undefined, 0, -1, 1.5, 2 ** 31, Number.NaN])
    assert.deepEqual(splitIn(10, metaint, Buffer.from('abc\0d')), { audio: 'abc\0d', titles: [] });
});

test('how far titles are apart, as a header says it', () => {
  const said: [text: string | undefined, metaint: number | undefined][] = [
    ['16000', 16_000],
    ['1', 1],
    ['1048576', 1_048_576],
    ['1048577', undefined],
    ['0', undefined],
    ['2147483648', undefined],
    ['-5', undefined],
    ['1e3', undefined],
    ['', undefined],
    [undefined, undefined],
  ];
  for (const [text, metaint] of said) assert.equal(parseMetaint(text), metaint);
});
