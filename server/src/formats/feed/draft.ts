import { FEED_LIMITS } from './feed.ts';

/** A possible audio address: an enclosure, an enclosure link, or a media element. */
export interface Enclosure {
  address: string;
  type: string | undefined;
  duration: string | undefined;
}

interface Link {
  rel: string;
  address: string;
  type: string | undefined;
}

/** A feed or an item while it is read: values by element name, not yet weighed against each other. */
export class Draft {
  readonly links: Link[] = [];
  readonly enclosures: Enclosure[] = [];
  readonly categories: string[] = [];
  readonly hosts: string[] = [];
  readonly #texts = new Map<string, string>();

  /** Keeps the first non-empty text. */
  record(name: string, text: string): void {
    if (!this.#texts.has(name) && text.trim() !== '') this.#texts.set(name, text);
  }

  /** The text of the first of these elements that has one. */
  text(...names: string[]): string | undefined {
    for (const name of names) {
      const text = this.#texts.get(name);
      if (text !== undefined) return text;
    }
    return undefined;
  }
}

/** Adds to a bounded list. */
function addTo<T>(list: T[], item: T): void {
  if (list.length < FEED_LIMITS.list) list.push(item);
}

export type Attributes = Readonly<Record<string, string>>;

/** Records the information in an element's attributes. */
export function noteAttributes(draft: Draft, name: string, attributes: Attributes): void {
  const { href, url, text, term, label } = attributes;
  const category = label ?? term;
  if (name === 'link') noteLink(draft, attributes);
  else if (name === 'itunes:category' && text) addTo(draft.categories, text);
  else if (name === 'category' && category) addTo(draft.categories, category);
  else if (name === 'itunes:image' || name === 'podcast:image') draft.record(name, href ?? url ?? '');
  else if (ENCLOSURES.has(name)) noteEnclosure(draft, attributes);
}

const ENCLOSURES = new Set(['enclosure', 'enc:enclosure', 'media:content']);

function noteLink(draft: Draft, { href, rel = 'alternate', type }: Attributes): void {
  if (href) addTo(draft.links, { rel: rel.toLowerCase(), address: href, type });
}

function noteEnclosure(draft: Draft, attributes: Attributes): void {
  const { url, href, type, duration } = attributes;
  const address = url ?? href ?? attributes['rdf:resource'] ?? attributes['enc:url'];
  if (address) addTo(draft.enclosures, { address, type: type ?? attributes['enc:type'], duration });
}

/** An element with its text and its ancestors. */
interface ReadText {
  name: string;
  attributes: Attributes;
  around: DraftPlace;
  text: string;
}

/** Records the information in an element's text. */
export function noteText(draft: Draft, { name, attributes, around, text }: ReadText): void {
  if (around === 'image' || around === 'person') draft.record(around, text);
  else if (name === 'podcast:person') noteHost(draft, attributes['role'], text);
  else if (name !== 'category' && name !== 'dc:subject') draft.record(name, text);
  else if (text.trim() !== '') addTo(draft.categories, text);
}

/** Guests and editors are named too; a person without a role is a host. */
function noteHost(draft: Draft, role = 'host', name = ''): void {
  if (/^(?:co-?)?host$/i.test(role.trim())) addTo(draft.hosts, name);
}

/** Where in a feed an element stands, which decides what its name means. */
export type DraftPlace =
  | 'document'
  | 'root'
  | 'feed'
  | 'item'
  | 'image'
  | 'person'
  | 'category'
  | 'media'
  | 'text'
  | 'elsewhere';

const FEED = ['feed', 'channel'];
const WIDE = new Map<string, DraftPlace>([
  ['item', 'item'],
  ['entry', 'item'],
  ['image', 'image'],
]);

/** Elements of a feed and of an item whose text is read. */
const TEXTS = new Set([
  'title',
  'description',
  'language',
  'link',
  'ttl',
  'guid',
  'id',
  'author',
  'pubdate',
  'published',
  'issued',
  'updated',
  'modified',
  'created',
  'summary',
  'content',
  'tagline',
  'subtitle',
  'logo',
  'icon',
  'category',
  'content:encoded',
  'dc:title',
  'dc:description',
  'dc:language',
  'dc:date',
  'dc:creator',
  'dc:subject',
  'sy:updateperiod',
  'sy:updatefrequency',
  'itunes:title',
  'itunes:author',
  'itunes:summary',
  'itunes:subtitle',
  'itunes:duration',
  'itunes:new-feed-url',
  'itunes:block',
  'itunes:keywords',
  'media:title',
  'media:description',
  'podcast:guid',
  'podcast:block',
  'podcast:person',
]);

const INSIDE: Readonly<Record<DraftPlace, (name: string) => DraftPlace>> = {
  document: (name) => (name === 'feed' ? 'feed' : 'root'),
  // RSS 1.0 lists its items beside the channel, not in it.
  root: (name) => (FEED.includes(name) ? 'feed' : (WIDE.get(name) ?? 'elsewhere')),
  feed: (name) => WIDE.get(name) ?? insideEither(name),
  item: (name) => insideEither(name),
  image: (name) => (name === 'url' ? 'text' : 'elsewhere'),
  person: (name) => (name === 'name' || name === 'itunes:name' ? 'text' : 'elsewhere'),
  category: (name) => (name === 'itunes:category' ? 'category' : 'elsewhere'),
  media: (name) => (name === 'media:content' ? 'media' : 'elsewhere'),
  text: () => 'elsewhere',
  elsewhere: () => 'elsewhere',
};

function insideEither(name: string): DraftPlace {
  if (name === 'itunes:category') return 'category';
  if (name === 'media:group' || name === 'media:content') return 'media';
  if (name === 'itunes:owner') return 'person';
  return TEXTS.has(name) ? 'text' : 'elsewhere';
}

export const placeInside = (around: DraftPlace, name: string): DraftPlace => INSIDE[around](name);
