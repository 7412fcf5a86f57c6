import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEED_LIMITS } from './feed.ts';
import { parseFeed } from './parse-feed.ts';
import { cutAttributes } from './reader.ts';

const long = 'x'.repeat(FEED_LIMITS.attribute + 1);
const kept = 'x'.repeat(FEED_LIMITS.attribute);

const ROWS: [what: string, text: string, cut: string][] = [
  ['a long value', `<a b="${long}" c='${long}'/>`, `<a b="${kept}" c='${kept}'/>`],
  ['one that just fits', `<a b="${kept}"/>`, `<a b="${kept}"/>`],
  ['one that never ends', `<a b="${long}`, `<a b="${kept}`],
  [
    'the other quotes inside',
    `<a b="${"'".repeat(FEED_LIMITS.attribute + 9)}"/>`,
    `<a b="${"'".repeat(FEED_LIMITS.attribute)}"/>`,
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

const feedOf = (title: string): Buffer =>
  Buffer.from(
    `<rss><channel><title>T</title><item><title>${title}</title><enclosure url="http://a.example/?x=1&amp;y=&quot;2"/></item></channel></rss>`,
  );
const read = (title: string): [title: string | undefined, address: string | undefined] => {
  const [item] = parseFeed(feedOf(title)).items;
  return [item?.title, item?.address];
};

const titles: [written: string, read: string][] = [
  ['Salt &amp; Vinegar', 'Salt & Vinegar'],
  ['&quot;A&quot; isn&apos;t B', `"A" isn't B`],
  ['&amp;amp;', '&'],
  ['<![CDATA[Salt &amp; Vinegar]]>', 'Salt & Vinegar'],
  ['<![CDATA[1 < 2]]> &amp; 3', '1 < 2 & 3'],
  ['&#38; &#x26;', '& &'],
];
for (const [written, expected] of titles) {
  test(`${written} is read as ${expected}, with a character of the stand-ins in the feed or without`, () => {
    const [title, address] = read(written);
    assert.equal(title, expected);
    assert.equal(address, 'http://a.example/?x=1&y=%222');
    // The slow way, which knows no stand-ins.
    assert.deepEqual(read(`${written}\ue001`), [`${expected}\ue001`, address]);
  });
}
