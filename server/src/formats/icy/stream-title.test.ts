import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStreamTitle } from './stream-title.ts';

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
for (const [block, title, url] of blocks) {
  test(`${JSON.stringify(block.toString('latin1').slice(0, 60))} names ${JSON.stringify(title)}`, () => {
    assert.deepEqual(parseStreamTitle(Buffer.from(block)), {
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
