import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IcySplitter } from './icy-splitter.ts';
import { TitleJoiner, titleBlock } from './title-joiner.ts';

const AUDIO = Buffer.from(Array.from({ length: 5000 }, (_none, n) => n % 251));

for (const size of [1, 99, 100, 101, 5000])
  test(`a player takes the titles out again, pieces of ${size} bytes`, () => {
    const joiner = new TitleJoiner(100);
    joiner.title = 'first';
    const sent: Buffer[] = [];
    for (let at = 0; at < AUDIO.length; at += size) {
      if (at >= 2500) joiner.title = 'second';
      sent.push(...joiner.push(AUDIO.subarray(at, at + size)));
    }
    const { audio, titles } = new IcySplitter(100).push(Buffer.concat(sent));
    assert.deepEqual(Buffer.concat(audio), AUDIO);
    assert.equal(titles[0], 'first');
    if (size <= 100) assert.equal(titles.at(-1), 'second');
  });

test('a title is sent once, and then only that it has not changed', () => {
  const joiner = new TitleJoiner(100);
  joiner.title = 'once';
  const { titles } = new IcySplitter(100).push(Buffer.concat(joiner.push(AUDIO)));
  assert.deepEqual(titles, ['once']);
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
