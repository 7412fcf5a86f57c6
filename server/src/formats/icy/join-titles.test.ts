import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IcySplitter } from './icy-splitter.ts';
import { joinTitles, METAINT, titleBlock } from './join-titles.ts';

const AUDIO = Buffer.from(Array.from({ length: 3 * METAINT + 500 }, (_none, n) => n % 251));

for (const due of [1, 4000, METAINT])
  test(`a player takes the titles out again, the first after ${due} bytes`, () => {
    const sent = Buffer.concat([
      AUDIO.subarray(0, METAINT - due),
      ...joinTitles(AUDIO.subarray(METAINT - due), due, titleBlock('once')),
    ]);
    const { audio, titles } = new IcySplitter(METAINT).push(sent);
    assert.deepEqual(Buffer.concat(audio), AUDIO);
    assert.deepEqual(titles, ['once'], 'sent once, and then only that it has not changed');
  });

test('before the next block is due there is none', () => {
  assert.deepEqual(joinTitles(AUDIO.subarray(0, 99), 100, titleBlock('later')), [AUDIO.subarray(0, 99)]);
});

const TITLES: [what: string, title: string, read: string][] = [
  ['quotation marks stay', `It's a 'quoted' title`, `It's a 'quoted' title`],
  ['what would end it is written otherwise', "a';StreamUrl='http://x/", "a’;StreamUrl='http://x/"],
  ['letters of every script', 'Дорога – 道', 'Дорога – 道'],
];
for (const [what, title, read] of TITLES)
  test(`in a title ${what}`, () => {
    const block = titleBlock(title);
    assert.equal(block.length, 1 + block[0]! * 16);
    const { titles } = new IcySplitter(1).push(Buffer.concat([Buffer.of(1), block]));
    assert.deepEqual(titles, [read]);
  });

test('an endless title is cut, and not within a letter', () => {
  const block = titleBlock('ö'.repeat(10_000));
  assert.equal(block[0], 255);
  assert.match(block.subarray(1).toString(), /^StreamTitle='ö+';\0*$/);
});
