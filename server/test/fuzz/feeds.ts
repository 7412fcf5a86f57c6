import { FEED_SAMPLES, longFeed } from '../content/feed-samples.ts';
import type { Dice } from './dice.ts';

/** The samples many times over, and now and then a long feed: most mistakes need few bytes, some need many. */
const CORPUS = Object.values(FEED_SAMPLES).map((text) => Buffer.from(text));
const LONG = Buffer.from(longFeed(60));

/** What XML, HTML, dates, addresses and encodings trip over. */
const TOKENS = [
  '<',
  '>',
  '&',
  ';',
  '"',
  "'",
  '/',
  ']]>',
  '<![CDATA[',
  '<!--',
  '-->',
  '<?',
  '?>',
  '<!DOCTYPE x [',
  '<!ENTITY a "b">',
  '&#0;',
  '&#xD800;',
  '&#x110000;',
  '&#99999999999;',
  '&nbsp;',
  '&amp;amp;',
  '&a;',
  '&#x1;',
  '&lt;p&gt;',
  '&constructor;',
  '<p>',
  '</p>',
  '<script>',
  '</script',
  '<item>',
  '</item>',
  '<channel>',
  '</rss>',
  '<itunes:category text="a">',
  '<link href="x" rel="enclosure"/>',
  '<enclosure url="//x.example/a.mp3"/>',
  '<enclosure/>',
  '<guid/>',
  '<title>',
  'xmlns:itunes="x"',
  'xmlns:__proto__="http://www.w3.org/2005/Atom"',
  'encoding="utf-16"',
  'encoding="shift_jis"',
  '__proto__',
  'constructor',
  'toString',
  '9'.repeat(400),
  '-1',
  '1e999',
  'NaN',
  '24:61:99',
  '0000-00-00T00:00:00Z',
  '+9999',
  '99 Foo 99999',
  'http://',
  'http://[::1',
  'javascript:',
  'data:,',
  '%',
  '%00',
  '\u202e',
  '\ufeff',
  '\0',
  '\u0001',
].map((text) => Buffer.from(text));
const BYTES = [
  Buffer.from([0xff, 0xfe]),
  Buffer.from([0xc0, 0x80]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0x1b, 0x24]),
];
const MAX_BYTES = 400_000;

/** A feed with one to eight things done to it; to most of them only such as leave it a feed. */
export function mutatedFeed(dice: Dice): Buffer {
  const mutations = dice.chance(0.6) ? TAME : WILD;
  let feed: Buffer = dice.chance(0.02) ? LONG : dice.pick(CORPUS);
  for (let left = 1 + dice.below(8); left > 0; left -= 1) feed = dice.pick(mutations)(feed, dice);
  return feed.subarray(0, MAX_BYTES);
}

type Mutation = (feed: Buffer, dice: Dice) => Buffer;

const replaced = (feed: Buffer, from: number, to: number, by: Uint8Array): Buffer =>
  Buffer.concat([feed.subarray(0, from), by, feed.subarray(to)]);

function piece(feed: Buffer, dice: Dice, longest: number): [from: number, to: number] {
  const from = dice.below(feed.length + 1);
  return [from, Math.min(feed.length, from + dice.below(longest))];
}

const insertToken: Mutation = (feed, dice) => {
  const at = dice.below(feed.length + 1);
  return replaced(feed, at, at, dice.pick(dice.chance(0.1) ? BYTES : TOKENS));
};
const overwriteWithToken: Mutation = (feed, dice) =>
  replaced(feed, ...piece(feed, dice, 30), dice.pick(TOKENS));
const flipByte: Mutation = (feed, dice) => {
  const copy = Buffer.from(feed);
  if (copy.length > 0) copy[dice.below(copy.length)] = dice.below(256);
  return copy;
};
const remove: Mutation = (feed, dice) => replaced(feed, ...piece(feed, dice, 200), Buffer.alloc(0));
const truncate: Mutation = (feed, dice) => feed.subarray(0, dice.below(feed.length + 1));
const repeatPiece: Mutation = (feed, dice) => {
  const [from, to] = piece(feed, dice, 60);
  const times = dice.chance(0.05) ? 4000 : dice.below(20);
  return replaced(feed, to, to, repeated(feed.subarray(from, to), times));
};
const repeatToken: Mutation = (feed, dice) => {
  const at = dice.below(feed.length + 1);
  return replaced(feed, at, at, repeated(dice.pick(TOKENS), dice.chance(0.05) ? 10_000 : dice.below(100)));
};
const splice: Mutation = (feed, dice) => {
  const other = dice.pick(CORPUS);
  const [from, to] = piece(other, dice, 1000);
  return replaced(feed, ...piece(feed, dice, 300), other.subarray(from, to));
};

/** Something hostile as it may stand between tags or between quotation marks. */
function hostileText(dice: Dice): Buffer {
  const words = Array.from({ length: 1 + dice.below(4) }, () => dice.pick(TOKENS).toString());
  const text = words.join(dice.pick(['', ' ', '\n'])).repeat(dice.chance(0.03) ? 2000 : 1);
  return Buffer.from(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'));
}

/** Puts something else between the next two of these signs. */
const between =
  (open: string, close: string): Mutation =>
  (feed, dice) => {
    const start = feed.indexOf(open, dice.below(feed.length + 1));
    const end = start === -1 ? -1 : feed.indexOf(close, start + open.length);
    return end === -1 ? feed : replaced(feed, start + open.length, end, hostileText(dice));
  };
const repeatItem: Mutation = (feed, dice) => {
  const from = feed.indexOf('<item>');
  const to = feed.indexOf('</item>', from) + 7;
  if (from === -1 || to < from) return feed;
  return replaced(feed, to, to, repeated(feed.subarray(from, to), 1 + dice.below(20)));
};
/** An element of one kind becomes one of another. */
const rename: Mutation = (feed, dice) => {
  const [from, to] = [dice.pick(ELEMENTS), dice.pick(ELEMENTS)];
  return Buffer.from(
    feed.toString('latin1').replaceAll(`<${from}>`, `<${to}>`).replaceAll(`</${from}>`, `</${to}>`),
    'latin1',
  );
};
const ELEMENTS =
  'title description guid pubDate itunes:duration itunes:author author link language ttl summary id item image url'.split(
    ' ',
  );

const TAME: readonly Mutation[] = [
  between('>', '<'),
  between('>', '<'),
  between('="', '"'),
  repeatItem,
  rename,
];
const WILD: readonly Mutation[] = [
  insertToken,
  insertToken,
  overwriteWithToken,
  flipByte,
  remove,
  truncate,
  repeatPiece,
  repeatToken,
  splice,
  ...TAME,
];

const repeated = (bytes: Buffer, times: number): Buffer =>
  Buffer.alloc(Math.min(bytes.length * times, MAX_BYTES), bytes.length > 0 ? bytes : 0);
