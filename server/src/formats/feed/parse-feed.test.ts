import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ATOM, longFeed, MEDIA, RSS, RSS1, SLOPPY } from '../../../test/content/feed-samples.ts';
import { type Feed, FeedError, type FeedFlaw, type FeedItem, FEED_LIMITS } from './feed.ts';
import { parseFeed } from './parse-feed.ts';

const parse = (text: string | Uint8Array, address?: string): Feed => parseFeed(Buffer.from(text), address);
const rss = (channel: string): string => `<rss version="2.0"><channel>${channel}</channel></rss>`;
const item = (inside: string): FeedItem => parse(rss(`<item>${inside}</item>`)).items[0] ?? {};
const dated = (year: number, count: number): string =>
  `<item><pubDate>${year}-01-01</pubDate></item>`.repeat(count);
const instant = (text: string): Temporal.Instant => Temporal.Instant.from(text);

test('RSS 2.0 with what iTunes and Podcasting 2.0 add', () => {
  const { items, ...feed } = parse(RSS, 'https://cdn.radio-haven.net/feeds/harbour.xml');
  assert.deepEqual(feed, {
    title: 'Harbour & Hinterland',
    description: 'Stories from the quay.\n\nEvery week.',
    language: 'en-IE',
    homepage: 'https://harbour.radio-haven.net/',
    image: 'https://harbour.radio-haven.net/cover.jpg',
    hosts: ['Niamh Quay'],
    categories: ['Sports', 'Soccer', 'Society & Culture'],
    ttlSeconds: 5400,
    hub: 'https://hub.radio-haven.net/',
    self: 'https://feeds.radio-haven.net/harbour',
    newAddress: 'https://feeds.radio-haven.net/harbour-2',
    guid: '917393e3-1b1e-5cef-ace4-edaa54e1f810',
    blocked: false,
  });
  assert.deepEqual(items, [
    {
      guid: 'harbour-2',
      title: '2: The lighthouse',
      description: 'Who kept it?\nAnd why?',
      address: 'https://cdn.radio-haven.net/harbour/2.mp3?a=1&b=2',
      type: 'audio/mpeg',
      durationSeconds: 3723,
      published: instant('2024-03-05T07:00:00Z'),
    },
    {
      guid: 'harbour-1',
      title: '1: Low water',
      address: 'https://cdn.radio-haven.net/harbour/1.m4a',
      type: 'audio/x-m4a',
      durationSeconds: 754,
      published: instant('2024-02-27T08:00:00Z'),
    },
  ]);
});

test('Atom', () => {
  const { items, ...feed } = parse(ATOM, 'https://nacht.radio-haven.net/feed.atom');
  assert.deepEqual(feed, {
    title: 'Nachtäther',
    description: 'Gespräche nach Mitternacht',
    language: 'de',
    homepage: 'https://nacht.radio-haven.net/',
    image: 'https://nacht.radio-haven.net/logo.png',
    self: 'https://nacht.radio-haven.net/feed.atom',
    hosts: ['Jo Brandt'],
    categories: ['Comedy'],
    blocked: false,
  });
  assert.deepEqual(items, [
    {
      guid: 'tag:nacht.radio-haven.net,2024:7',
      title: 'Folge 7',
      description: 'Erste Zeile\n\nZweite < dritte',
      address: 'https://nacht.radio-haven.net/7.ogg',
      type: 'audio/ogg',
      published: instant('2024-03-05T23:10:00Z'),
    },
  ]);
});

test('RSS 1.0, whose items stand beside the channel', () => {
  const { items, ...feed } = parse(RSS1);
  assert.deepEqual(feed, {
    title: 'Old Wave',
    description: 'Since 2001',
    language: 'fr',
    homepage: 'https://old.radio-haven.net/',
    image: 'https://old.radio-haven.net/i.gif',
    ttlSeconds: 21_600,
    hosts: ['Luc'],
    categories: [],
    blocked: false,
  });
  assert.deepEqual(items, [
    {
      guid: 'https://old.radio-haven.net/1',
      title: 'Premier',
      address: 'https://old.radio-haven.net/1.mp3',
      type: 'audio/mpeg',
      published: instant('2001-09-10T00:00:00Z'),
    },
  ]);
});

test('a feed by a careless hand is read as it was meant', () => {
  const { items, ...feed } = parse(SLOPPY);
  assert.deepEqual([feed.title, feed.hosts, feed.categories], ['Salt & Vinegar', ['A B'], ['Food']]);
  assert.deepEqual(items, [
    {
      title: 'One more',
      description: 'First\nsecond\nthird',
      address: 'https://salt.radio-haven.net/1.mp3?x=1&y=2',
      durationSeconds: 720,
      published: instant('2024-03-05T00:00:00Z'),
    },
  ]);
});

test('sound is chosen among media, whatever the prefix of their namespace; a feed may ask not to be listed', () => {
  const { items, blocked } = parse(MEDIA);
  assert.equal(blocked, true);
  assert.deepEqual(items, [
    { guid: 'v1', address: 'https://v.radio-haven.net/1.mp3', type: 'audio/mpeg', durationSeconds: 61 },
  ]);
});

const hosts = (inside: string): string[] => parse(rss(inside)).hosts;

test('an identifier is the same however its ampersand is written', () => {
  for (const guid of ['a?b=1&amp;c=2', 'a?b=1&c=2', '<![CDATA[a?b=1&c=2]]>', '<![CDATA[a?b=1&amp;c=2]]>'])
    assert.equal(item(`<guid>${guid}</guid>`).guid, 'a?b=1&c=2', guid);
  const many = `<![CDATA[${'& '.repeat(FEED_LIMITS.strayAmpersands + 1)}]]>`;
  assert.equal(
    item(`<guid>x</guid><description>${many}</description>`).guid,
    'x',
    'in CDATA any number may stand',
  );
});

test('hosts are who is named as such, else the author, else the owner', () => {
  const owner = '<itunes:owner><itunes:name>Haven</itunes:name></itunes:owner>';
  const people =
    '<podcast:person>Ann</podcast:person><podcast:person role="guest">Guest</podcast:person><podcast:person role="co-host">Bob</podcast:person>';
  assert.deepEqual(hosts(`<itunes:author>Cas</itunes:author>${owner}${people}`), ['Ann', 'Bob']);
  assert.deepEqual(hosts(`${owner}<author>mail@radio-haven.net (Dee)</author>`), ['Dee']);
  assert.deepEqual(hosts(`${owner}<author>mail@radio-haven.net</author>`), ['Haven']);
  assert.deepEqual(hosts('<author>mail@radio-haven.net</author>'), []);
});

test('encodings: declared, declared wrongly, not declared', () => {
  const text = (label: string): string =>
    `<?xml version="1.0" encoding="${label}"?>${rss('<title>Türkçe ş</title>')}`;
  const latin5 = Buffer.from(text('ISO-8859-9').replace('ş', '\u00fe'), 'latin1');
  assert.equal(parse(latin5).title, 'Türkçe ş');
  assert.equal(parse(text('ISO-8859-1')).title, 'Türkçe ş');
  assert.equal(parse(text('utf-16')).title, 'Türkçe ş');
  assert.equal(parse(text('no-such-thing')).title, 'Türkçe ş');
  assert.equal(parse(Buffer.from(`\ufeff${text('utf-16')}`, 'utf16le')).title, 'Türkçe ş');
  assert.equal(parse(Buffer.from(rss('<title>Café</title>'), 'latin1')).title, 'Café');
  const jis = Buffer.concat([
    Buffer.from('<?xml version="1.0" encoding="iso-2022-jp"?><rss><channel><title>\u001b$B', 'latin1'),
    Buffer.from('F|K\\', 'latin1'),
    Buffer.from('\u001b(B</title></channel></rss>', 'latin1'),
  ]);
  assert.equal(parse(jis).title, '日本');
});

const REFUSED: [what: string, text: string, flaw: FeedFlaw, words: RegExp][] = [
  ['nothing', '', 'not-xml', /well-formed/],
  ['a text', 'not a feed', 'not-xml', /well-formed/],
  ['an end in the middle', '<rss><channel><title>x', 'not-xml', /well-formed/],
  ['a web page', '<!DOCTYPE html><html><body/></html>', 'not-a-feed', /web page/],
  ['a web page without its doctype', '<html><body/></html>', 'not-a-feed', /web page/],
  ['another kind of XML', '<opml/>', 'not-a-feed', /<opml>/],
  [
    'entities that feed on each other',
    `<!DOCTYPE r [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>${rss('&c;')}`,
    'doctype',
    /DOCTYPE/,
  ],
  [
    'an entity from a file',
    `<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>${rss('<title>&a;</title>')}`,
    'doctype',
    /DOCTYPE/,
  ],
  ['a bottomless nest', `<rss>${'<a>'.repeat(100_000)}`, 'too-deep', /64/],
  [
    'more attributes than anything has',
    `<rss ${Array.from({ length: 65 }, (_none, n) => `a${n}=""`).join(' ')}/>`,
    'too-many-attributes',
    /64/,
  ],
  [
    'entities without end',
    rss('&nbsp;'.repeat(FEED_LIMITS.unknownEntities + 1)),
    'not-xml',
    /undefined entity/,
  ],
  [
    'elements without end',
    rss('<item><a/></item>'.repeat(FEED_LIMITS.elements / 2)),
    'too-large',
    /500000 elements/,
  ],
  [
    'an item of nothing but elements',
    rss(`<item>${'<a/>'.repeat(2001)}</item>`),
    'too-large',
    /2000 elements/,
  ],
  ['a feed of nothing but elements', rss('<a/>'.repeat(2001)), 'too-large', /2000 elements/],
  [
    'nothing but stray ampersands',
    rss('& '.repeat(FEED_LIMITS.strayAmpersands + 1)),
    'not-xml',
    /well-formed/,
  ],
  ['more bytes than anyone reads', rss(' '.repeat(FEED_LIMITS.bytes)), 'too-large', /shorten/],
];
for (const [what, text, flaw, words] of REFUSED) {
  test(`refused: ${what}`, () => {
    assert.throws(
      () => parse(text),
      (error) => error instanceof FeedError && error.flaw === flaw && words.test(error.message),
    );
  });
}

test('long texts are cut, and only then', () => {
  const { title, description } = item(
    `<title>${'t'.repeat(1000)}</title><description>${'d'.repeat(100_000)}</description>`,
  );
  assert.equal(title?.length, FEED_LIMITS.title);
  assert.equal(description?.length, FEED_LIMITS.description);
  assert.equal(item(`<title>${'t'.repeat(FEED_LIMITS.title)}</title>`).title, 't'.repeat(FEED_LIMITS.title));
});

test('of too many items the newest are kept, wherever they stand', () => {
  const { items } = parse(rss(dated(2001, 6000) + dated(2024, 3000) + dated(2002, 9000)));
  const years = Map.groupBy(items, ({ published }) => published?.toString().slice(0, 4));
  assert.deepEqual(
    [...years].map(([year, list]) => [year, list.length]),
    [
      ['2024', 3000],
      ['2002', 2000],
    ],
  );
});

test('a long feed keeps every topic once and in order', () => {
  const { items } = parse(longFeed(700));
  assert.deepEqual(
    items.map(({ guid }) => guid),
    Array.from({ length: 700 }, (_none, n) => `tide-${700 - n}`),
  );
});

test('names from the prototype mean nothing', () => {
  const { items } = parse(
    rss('<constructor>x</constructor><item><__proto__>x</__proto__><toString/></item>'),
  );
  assert.deepEqual(items, [{}]);
  assert.throws(() => parse(rss('&constructor;'.repeat(FEED_LIMITS.unknownEntities + 1))), FeedError);
});

test('addresses that are not of the web are none', () => {
  for (const address of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'x.mp3',
    `https://h.example/${'x'.repeat(2100)}`,
  ])
    assert.equal(item(`<enclosure url="${address}" type="audio/mpeg"/>`).address, undefined, address);
});
