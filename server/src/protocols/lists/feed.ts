import { escapeXml } from '../../formats/opml/characters.ts';
import { Fault } from '../../lib/fault.ts';
import { guideId, numberOf } from '../../lib/guide-id.ts';
import { ReadThrough } from '../../storage/cache/read-through.ts';
import { findShow, type ShowRow } from '../../storage/catalog/shows/shows.ts';
import { type ListedTopicRow, listTopicsOfShow } from '../../storage/catalog/shows/topics.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { listPath, type ListRequest } from './read-request.ts';

export const RSS_TYPE = 'application/rss+xml; charset=utf-8';
/** Of one feed: the newest. */
const MAX_TOPICS = 300;

export interface FeedShow {
  show: ShowRow;
  topics: readonly ListedTopicRow[];
}

/** Shows as feeds: their topics are episodes that any podcast app plays. */
export class Feeds {
  readonly #shows: ReadThrough<FeedShow | undefined>;

  constructor(db: Queryable) {
    this.#shows = new ReadThrough({
      load: (id) => readShow(db, Number(id)),
      most: 500,
      freshMs: 60_000,
      staleMs: 3_600_000,
    });
  }

  async write(file: ListRequest, origin: string): Promise<string[]> {
    const id = numberOf('p', file.what);
    const known = id === undefined ? undefined : await this.#shows.get(String(id));
    if (!known || file.token !== undefined)
      throw new Fault(404, undefined, `There is no show ${file.what}: give p and its number, as in p67.rss`);
    return writeFeed(known, origin, origin + listPath(file, 'rss'));
  }
}

async function readShow(db: Queryable, id: number): Promise<FeedShow | undefined> {
  const show = await findShow(db, id);
  if (!show?.listed) return undefined;
  return { show, topics: await listTopicsOfShow(db, id, { limit: MAX_TOPICS }) };
}

export function writeFeed({ show, topics }: FeedShow, origin: string, self: string): string[] {
  const { id, title, description, hosts, homepage } = show;
  const logo = `${origin}/logos/${guideId('p', id)}q.png`;
  const link = homepage ?? `${origin}/listen/`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom">',
    '<channel>',
    element('title', title),
    element('link', link),
    `<atom:link rel="self" type="application/rss+xml" href="${escapeXml(self)}"/>`,
    element('description', description ?? title),
    ...(hosts === null ? [] : [element('itunes:author', hosts)]),
    `<itunes:image href="${escapeXml(logo)}"/>`,
    `<image>${element('url', logo)}${element('title', title)}${element('link', link)}</image>`,
    ...topics.map(writeTopic),
    '</channel>',
    '</rss>',
  ];
}

/** RSS wants a length in bytes, which nobody knows here; apps take 0 for that. */
function writeTopic(topic: ListedTopicRow): string {
  const { id, title, address, duration_seconds: seconds, published_at: published } = topic;
  return [
    '<item>',
    element('title', title),
    `<guid isPermaLink="false">${guideId('t', id)}</guid>`,
    `<pubDate>${new Date(published.epochMilliseconds).toUTCString()}</pubDate>`,
    `<enclosure url="${escapeXml(address)}" length="0" type="${mimeOf(topic)}"/>`,
    ...(seconds === null ? [] : [`<itunes:duration>${seconds}</itunes:duration>`]),
    '</item>',
  ].join('');
}

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`;

const TYPES: ReadonlyMap<string, string> = new Map([
  ['aac', 'audio/aac'],
  ['ogg', 'audio/ogg'],
  ['opus', 'audio/ogg'],
  ['flac', 'audio/flac'],
  ['wav', 'audio/wav'],
  ['wma', 'audio/x-ms-wma'],
  ['hls', 'application/vnd.apple.mpegurl'],
]);

/** A topic of unknown format counts as MP3, as everywhere. */
const mimeOf = ({ format, address }: ListedTopicRow): string =>
  /\.m4[ab](?:\?|$)/i.test(address) ? 'audio/mp4' : (TYPES.get(format ?? '') ?? 'audio/mpeg');
