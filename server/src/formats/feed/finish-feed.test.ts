import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leastCpuMs } from '../../../test/processes/least-cpu-ms.ts';
import { hubOf, parseLinks } from './finish-feed.ts';
import { parseFeed } from './parse-feed.ts';

const AT = 'https://feeds.radio-haven.net/harbour.xml';

const HEADERS: [header: string, links: Record<string, string>][] = [
  ['', {}],
  ['<https://hub.net/>; rel="hub"', { hub: 'https://hub.net/' }],
  [
    '<https://hub.net/>; rel=hub, <https://a.net/f>; rel=self',
    { hub: 'https://hub.net/', self: 'https://a.net/f' },
  ],
  ['<https://a.net/f>; title="x"; REL="Self Hub"', { self: 'https://a.net/f', hub: 'https://a.net/f' }],
  ['<https://one.net/>; rel="hub",<https://two.net/>; rel="hub"', { hub: 'https://one.net/' }],
  ['<https://a.net/a,b;c>; rel="self"', { self: 'https://a.net/a,b;c' }],
  ['https://hub.net/; rel="hub"', {}],
  ['<https://hub.net/', {}],
];
for (const [header, links] of HEADERS) {
  test(`Link: ${header}`, () => {
    const found = parseLinks(header);
    found.delete('');
    assert.deepEqual(Object.fromEntries(found), links);
  });
}

test('a long header of nonsense is read in no time', () => {
  for (const piece of ['<', '<a>;', '<a>; rel', '; ', '<a>; rel="', ';rel ']) {
    const header = piece.repeat(16_384 / piece.length);
    assert.ok(leastCpuMs(() => void parseLinks(header)) < 100, piece);
  }
});

test('the header comes before the feed, and the feed before where it was read', () => {
  const feed = { hub: 'https://hub.net/', self: 'https://a.net/f' };
  assert.deepEqual(hubOf(feed, undefined, AT), { hub: 'https://hub.net/', topic: 'https://a.net/f' });
  assert.deepEqual(hubOf({ hub: 'https://hub.net/' }, '', AT), { hub: 'https://hub.net/', topic: AT });
  assert.deepEqual(hubOf(feed, '<https://other.net/h>; rel=hub, </self>; rel=self', AT), {
    hub: 'https://other.net/h',
    topic: 'https://feeds.radio-haven.net/self',
  });
  assert.deepEqual(hubOf(feed, '<https://other.net/h>; rel=hub', AT), {
    hub: 'https://other.net/h',
    topic: 'https://a.net/f',
  });
  assert.equal(hubOf({ self: 'https://a.net/f' }, '<https://a.net/f>; rel=self', AT), undefined);
  assert.equal(hubOf({}, '<javascript:alert(1)>; rel=hub', AT), undefined);
});

const rss = (self: string): Buffer =>
  Buffer.from(`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>T</title>
    <atom:link rel="hub" href="https://hub.net"/><atom:link rel="self" href="${self}"/></channel></rss>`);

test('a feed is known to its hub by its name letter by letter', () => {
  for (const [self, topic] of [
    ['HTTPS://Feeds.Radio-Haven.net', 'HTTPS://Feeds.Radio-Haven.net'],
    ['https://a.net/f?a=1&amp;b=%7e|x', 'https://a.net/f?a=1&b=%7e|x'],
    ['/harbour', 'https://feeds.radio-haven.net/harbour'],
    ['https://a.net/grüße', 'https://a.net/gr%C3%BC%C3%9Fe'],
  ] as const)
    assert.deepEqual(hubOf(parseFeed(rss(self), AT), undefined, AT), { hub: 'https://hub.net/', topic });
});
