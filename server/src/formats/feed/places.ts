/** Where in a feed an element stands, which decides what its name means. */
export type Place =
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
const WIDE = new Map<string, Place>([
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

const INSIDE: Readonly<Record<Place, (name: string) => Place>> = {
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

function insideEither(name: string): Place {
  if (name === 'itunes:category') return 'category';
  if (name === 'media:group' || name === 'media:content') return 'media';
  if (name === 'itunes:owner') return 'person';
  return TEXTS.has(name) ? 'text' : 'elsewhere';
}

export const placeInside = (around: Place, name: string): Place => INSIDE[around](name);
