import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutAttributes } from './cut-attributes.ts';
import { LIMITS } from './feed.ts';
import { parseFeed } from './parse-feed.ts';

const long = 'x'.repeat(LIMITS.attribute + 1);
const kept = 'x'.repeat(LIMITS.attribute);

const ROWS: [what: string, text: string, cut: string][] = [
  ['a long value', `<a b="${long}" c='${long}'/>`, `<a b="${kept}" c='${kept}'/>`],
  ['one that just fits', `<a b="${kept}"/>`, `<a b="${kept}"/>`],
  ['one that never ends', `<a b="${long}`, `<a b="${kept}`],
  [
    'the other quotes inside',
    `<a b="${"'".repeat(LIMITS.attribute + 9)}"/>`,
    `<a b="${"'".repeat(LIMITS.attribute)}"/>`,
  ],
  ['texts between elements', `<p>="</p>${long}<p>"</p>`, `<p>="</p>${long}<p>"</p>`],
  ['line breaks in what is kept', `<a b="1\n\n2${long}"/>`, `<a b="1 2${kept.slice(4)}"/>`],
  ['a reference at the cut', `<a b="${kept.slice(3)}&#65;x"/>`, `<a b="${kept.slice(3)}"/>`],
];
for (const [what, text, cut] of ROWS) test(what, () => assert.equal(cutAttributes(text), cut));

test('a feed with such a value is read, and what stands beside it is', () => {
  const item = `<item><guid>1</guid><enclosure type="${long}" url="https://a.radio-haven.net/1.mp3"/></item>`;
  const { items } = parseFeed(Buffer.from(`<rss><channel>${item}</channel></rss>`));
  assert.equal(items[0]?.address, 'https://a.radio-haven.net/1.mp3');
});
