import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFeed } from './parse-feed.ts';

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
