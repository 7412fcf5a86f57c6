import { parseDuration, parseFeedDate } from './date.ts';
import type { Draft, Enclosure } from './draft.ts';
import { type Feed, type FeedItem, FEED_LIMITS } from './feed.ts';
import { plainLine, plainText } from './plain-text.ts';

/** Builds the feed, each field from the best of the elements where feeds put it. */
export function finishFeed(draft: Draft, items: FeedItem[], base: string | undefined): Feed {
  const line = (...names: string[]): string | undefined =>
    plainLine(draft.text(...names) ?? '', FEED_LIMITS.title) || undefined;
  const web = (text: string | undefined): string | undefined => (text ? absolute(text, base) : undefined);
  const linked = (rel: string): string | undefined =>
    web(draft.links.find((link) => link.rel === rel && (rel !== 'alternate' || isPage(link.type)))?.address);
  const self = draft.links.find((link) => link.rel === 'self')?.address;
  const about = draft.text(
    'description',
    'itunes:summary',
    'subtitle',
    'tagline',
    'dc:description',
    'itunes:subtitle',
  );
  const given = {
    title: line('title', 'itunes:title', 'dc:title'),
    description: plainText(about ?? '', FEED_LIMITS.description) || undefined,
    language: line('language', 'dc:language', 'xml:lang')?.slice(0, 40),
    homepage: web(draft.text('link')) ?? linked('alternate'),
    image: web(draft.text('itunes:image', 'podcast:image', 'image', 'logo', 'icon')),
    ttlSeconds: ttlSeconds(draft),
    hub: linked('hub'),
    self: self === undefined ? undefined : asWritten(self, base),
    newAddress: web(draft.text('itunes:new-feed-url')),
    guid: line('podcast:guid')?.slice(0, 100),
  };
  return {
    ...withoutNothing(given),
    hosts: hostsOf(draft),
    categories: categoriesOf(draft),
    blocked: [draft.text('itunes:block'), draft.text('podcast:block')].some((text) =>
      /^\s*yes\s*$/i.test(text ?? ''),
    ),
    items,
  };
}

type Present<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function withoutNothing<T extends object>(given: T): Present<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Present<T>;
}

const isPage = (type: string | undefined): boolean => type === undefined || /html/i.test(type);

function hostsOf(draft: Draft): string[] {
  const authors = [
    draft.text('itunes:author', 'dc:creator') ?? (nameOfAuthor(draft.text('author')) || draft.text('person')),
  ];
  const given = draft.hosts.length > 0 ? draft.hosts : authors;
  const names = given.map((text) => plainLine(text ?? '', 200)).filter((name) => name !== '');
  return [...new Set(names)];
}

/** Atom has a `<name>` inside, RSS wants `mail@host.example (Name)`; a mail address alone is not a name. */
function nameOfAuthor(text = ''): string {
  const [, named] = /<name>([^<]*)/.exec(text) ?? /\(([^()]*)\)\s*$/.exec(text) ?? [];
  return named ?? (text.includes('@') ? '' : text);
}

function categoriesOf({ categories }: Draft): string[] {
  const plain = categories.map((text) => plainLine(text, 100)).filter((text) => text !== '');
  return [...new Set(plain)];
}

const PERIOD_SECONDS = new Map([
  ['hourly', 3600],
  ['daily', 86_400],
  ['weekly', 7 * 86_400],
  ['monthly', 30 * 86_400],
  ['yearly', 365 * 86_400],
]);

/** `ttl` counts minutes; RSS 1.0 gives a frequency per period. */
function ttlSeconds(draft: Draft): number | undefined {
  const minutes = Number(draft.text('ttl') ?? Number.NaN);
  if (minutes > 0 && minutes < 525_600) return Math.round(minutes * 60);
  const period = PERIOD_SECONDS.get(draft.text('sy:updateperiod')?.trim().toLowerCase() ?? '');
  const times = Number(draft.text('sy:updatefrequency') ?? 1);
  return period && times >= 1 ? Math.round(period / times) : undefined;
}

/** Builds an item, each field from the best of the elements where feeds put it. */
export function finishItem(draft: Draft, base: string | undefined): FeedItem {
  const enclosure = chooseEnclosure(draft);
  const address = enclosure && absolute(enclosure.address, base);
  const guid = draft
    .text('guid', 'id', 'rdf:about')
    ?.trim()
    .replaceAll('&amp;', '&')
    .slice(0, FEED_LIMITS.address);
  const title = plainLine(
    draft.text('title', 'itunes:title', 'dc:title', 'media:title') ?? '',
    FEED_LIMITS.title,
  );
  const about = draft.text(
    'description',
    'itunes:summary',
    'summary',
    'content:encoded',
    'content',
    'dc:description',
  );
  const description = plainText(
    about ?? draft.text('media:description', 'itunes:subtitle') ?? '',
    FEED_LIMITS.description,
  );
  const durationSeconds = parseDuration(draft.text('itunes:duration') ?? enclosure?.duration ?? '');
  const published = parseFeedDate(
    draft.text('pubdate', 'published', 'issued', 'dc:date', 'created', 'updated', 'modified') ?? '',
  );
  const type = mediaType(enclosure?.type);
  return {
    ...(guid && { guid }),
    ...(title && { title }),
    ...(description && { description }),
    ...(address && { address }),
    ...(address && type && { type }),
    ...(durationSeconds && { durationSeconds }),
    ...(published && { published }),
  };
}

/** Without its parameters, except for the one that changes the format: `audio/ogg; codecs=opus`. */
function mediaType(given = ''): string {
  const [name = '', ...parameters] = given.toLowerCase().split(';');
  const isOpus = parameters.some((parameter) => /^\s*codecs\s*=\s*"?opus\b/.test(parameter));
  return isOpus ? 'audio/opus' : name.trim().slice(0, 100);
}

/** Audio before anything that may be audio, that before pictures; otherwise the first. */
function chooseEnclosure({ enclosures, links }: Draft): Enclosure | undefined {
  const linked = links
    .filter(({ rel }) => rel === 'enclosure')
    .map(({ address, type }) => ({ address, type, duration: undefined }));
  const all = [...enclosures, ...linked];
  return (
    all.find(({ type }) => type?.startsWith('audio/')) ??
    all.find(({ type }) => !/^(?:image|text|video)\//.test(type ?? '')) ??
    all.find(({ type }) => type?.startsWith('video/'))
  );
}

const LINK = /<([^<>]*)>([^<]*)/g;
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i;

/** The first link of each relation in an HTTP `Link` header, as written. */
export function parseLinks(header: string): Map<string, string> {
  const links = new Map<string, string>();
  for (const [, address = '', params = ''] of header.matchAll(LINK)) {
    const [, quoted, bare] = REL.exec(params) ?? [];
    for (const rel of (quoted ?? bare ?? '').toLowerCase().split(/\s+/))
      if (!links.has(rel)) links.set(rel, address);
  }
  return links;
}

/** A feed's hub, and the feed's name there. */
interface Hub {
  hub: string;
  topic: string;
}

/**
 * The hub of a feed that was read at `address`: from the `Link` header, else from the feed. A feed that names a hub
 * but not itself is known by the address it was read at.
 */
export function hubOf(
  feed: { [Key in 'hub' | 'self']?: Feed[Key] | undefined },
  linkHeader: string | undefined,
  address: string,
): Hub | undefined {
  const links = parseLinks(linkHeader ?? '');
  const linked = links.get('hub');
  const hub = linked ? absolute(linked, address) : undefined;
  if (hub) return { hub, topic: asWritten(links.get('self') ?? '', address) ?? feed.self ?? address };
  return feed.hub === undefined ? undefined : { hub: feed.hub, topic: feed.self ?? address };
}

/** An absolute address stays exactly as written: a hub knows a feed by the name that its owner uses. */
function asWritten(text: string, base: string | undefined): string | undefined {
  const whole = text === '' ? undefined : absolute(text, base);
  const plain = text.trim().replaceAll('&amp;', '&');
  return whole !== undefined && /^https?:\/\/[\x21-\x7E]+$/i.test(plain) ? plain : whole;
}

/** An absolute web address, normalised by the URL parser; undefined for anything else. */
function absolute(text: string, base: string | undefined): string | undefined {
  if (text.length > 2 * FEED_LIMITS.address) return undefined;
  const url = URL.parse(text.trim().replaceAll('&amp;', '&'), base);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined;
  return url.href.length <= FEED_LIMITS.address ? url.href : undefined;
}
