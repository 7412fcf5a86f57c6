import { uuidOf } from '../../src/lib/ids.ts';
import { chance, type Kind, kindOf, readableFrom } from './kinds.ts';

/** When the newest topic of the first round came out; each comes a day after the one before. */
const NEWEST = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const HUGE_TOPICS = 4999;
/** So many make 7.7 and 10 megabytes: what is fetched ends at 8 MiB. */
const NOTES_OF_HUGE: Partial<Record<Kind, number>> = { huge: 13, oversized: 18 };
/** Topics that a fresh feed has more in each round. */
const MORE_TOPICS = 2;
const CATEGORIES = ['News', 'Comedy', 'Science', 'Music', 'Sports', 'History', 'Technology', 'Arts'];
const NOTE = '<p>Notes on the tide &amp; the moon, with <a href="https://x.radio-haven.net/">links</a>.</p>';

/** What a feed tells changes with this number only. */
export const versionOf = (number: number, round: number): number => (kindOf(number) === 'fresh' ? round : 1);

/** Most have a few topics, some have many: 30 on average, as in the world. */
function topicsAtFirst(number: number): number {
  if (NOTES_OF_HUGE[kindOf(number)]) return HUGE_TOPICS;
  return 3 + Math.floor(chance(number, 2) ** 3 * 110);
}

/** Numbers of the topics that a feed tells. Every other fresh feed forgets its oldest. */
function told(number: number, version: number): { first: number; last: number } {
  const more = MORE_TOPICS * (version - 1);
  const forgets = number % 2 === 0;
  return { first: forgets ? 1 + more : 1, last: topicsAtFirst(number) + more };
}

const guidOf = (number: number, topic: number): string => `farm-${number}-${topic}`;

/** Keys of all topics that a feed has told until the end of a round: what must be known then, each once. */
export function keysUntil(number: number, round: number): string[] {
  const from = readableFrom(number);
  if (from === undefined || from > round) return [];
  const { last } = told(number, versionOf(number, round));
  return Array.from({ length: last }, (_none, index) => uuidOf(guidOf(number, index + 1)));
}

/** The feed as text, its newest topic first; every tenth is Atom. */
export function feedText(number: number, version: number): string {
  const { first, last } = told(number, version);
  const isAtom = number % 10 === 3;
  const items: string[] = [];
  for (let topic = last; topic >= first; topic -= 1) items.push((isAtom ? entry : item)(number, topic));
  return (isAtom ? atom : rss)(number, items.join('\n'));
}

function rss(number: number, items: string): string {
  const category = CATEGORIES[number % CATEGORIES.length];
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Farm show ${number}</title>
<link>https://farm.radio-haven.net/${number}</link><description>Show ${number}: caf\u00e9 and country.</description><language>en</language>
<itunes:author>Grower ${number % 97}</itunes:author><itunes:category text="${category}"/>
<itunes:image href="https://farm.radio-haven.net/${number}.jpg"/>
${items}</channel></rss>`;
}

const dateOf = (number: number, topic: number): Date =>
  new Date(NEWEST + (topic - topicsAtFirst(number)) * DAY_MS);
const noteOf = (number: number, topic: number): string =>
  NOTE.repeat(NOTES_OF_HUGE[kindOf(number)] ?? 1 + ((number + topic) % 9));
const soundOf = (number: number, topic: number): string =>
  `https://cdn.radio-haven.net/farm/${number}/${topic}.mp3`;

const item = (number: number, topic: number): string =>
  `<item><title>Topic ${topic} of ${number}</title><guid isPermaLink="false">${guidOf(number, topic)}</guid>
<description><![CDATA[${noteOf(number, topic)}]]></description><pubDate>${dateOf(number, topic).toUTCString()}</pubDate>
<itunes:duration>00:${10 + (topic % 40)}:07</itunes:duration><enclosure url="${soundOf(number, topic)}" length="1" type="audio/mpeg"/></item>`;

function atom(number: number, entries: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title>Farm show ${number}</title><subtitle>Show ${number}: caf\u00e9.</subtitle>
<link rel="alternate" href="https://farm.radio-haven.net/${number}"/><author><name>Grower ${number % 97}</name></author>
<category term="${CATEGORIES[number % CATEGORIES.length]}"/>
${entries}</feed>`;
}

const entry = (number: number, topic: number): string =>
  `<entry><id>${guidOf(number, topic)}</id><title>Topic ${topic} of ${number}</title>
<published>${dateOf(number, topic).toISOString()}</published><content type="html"><![CDATA[${noteOf(number, topic)}]]></content>
<link rel="enclosure" type="audio/mpeg" href="${soundOf(number, topic)}"/></entry>`;
