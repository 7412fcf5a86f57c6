import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IcySplitter, parseMetaint, parseStreamTitle } from './icy-splitter.ts';

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

const blocks: [block: string | Buffer, title: string | undefined, url?: string][] = [
  ["StreamTitle='Artist - Title';", 'Artist - Title'],
  ["StreamTitle='It's a 'quoted' title';StreamUrl='';", "It's a 'quoted' title"],
  ["StreamTitle='';", ''],
  [
    "StreamTitle='Wake Me Up';StreamUrl='http://radio.example.net/a?b=1';\0\0\0",
    'Wake Me Up',
    'http://radio.example.net/a?b=1',
  ],
  ["StreamUrl='javascript:alert(1)';StreamTitle='after';", 'after'],
  ["StreamUrl='nowhere';", undefined],
  ["StreamTitle='cut off by a server", 'cut off by a server'],
  ["StreamTitle='cut off at the end'", 'cut off at the end'],
  ["StreamTitle='a\0b';", 'a'],
  ["streamtitle='no such name';", undefined],
  ['', undefined],
  [Buffer.from("StreamTitle='Bj\xf6rk \x96 J\xf3ga';", 'latin1'), 'Björk – Jóga'],
  ["StreamTitle='Björk – Jóga';", 'Björk – Jóga'],
  ["StreamTitle='日本語';", '日本語'],
  ["StreamTitle=' \u202eevil\u2066 \x1b[2J\r\n\tx \ufeff';", 'evil [2J x'],
];
for (const [said, title, url] of blocks) {
  test(`${JSON.stringify(said.toString('latin1').slice(0, 60))} names ${JSON.stringify(title)}`, () => {
    assert.deepEqual(parseStreamTitle(Buffer.from(said)), {
      ...(title === undefined ? {} : { title }),
      ...(url === undefined ? {} : { url }),
    });
  });
}

test('a title is cut between letters, and half a letter is none', () => {
  const long = parseStreamTitle(Buffer.from(`StreamTitle='${'x'.repeat(255)}😀';`)).title ?? '';
  assert.equal(long, 'x'.repeat(255));
  const bomb = parseStreamTitle(Buffer.from(`StreamTitle='${'\u202e'.repeat(1300)}x`)).title ?? '';
  assert.ok(bomb.length <= 256 && bomb.isWellFormed());
});
