/** What a column can say about a station. */
export const COLUMNS = [
  'name',
  'address',
  'homepage',
  'logo',
  'country',
  'state',
  'city',
  'language',
  'tags',
  'codec',
  'bitrate',
  'latitude',
  'longitude',
  'votes',
  'id',
] as const;

export type Column = (typeof COLUMNS)[number];

/** How people and other programs head their columns; compared without case, spaces and punctuation. */
const ALIASES: Record<Column, string[]> = {
  name: ['name', 'title', 'station', 'stationname'],
  address: ['url', 'stream', 'streamurl', 'urlstream', 'address', 'link', 'urlresolved'],
  homepage: ['homepage', 'website', 'site', 'web', 'urlhomepage'],
  logo: ['logo', 'favicon', 'image', 'icon', 'logourl', 'urlfavicon'],
  country: ['country', 'countrycode', 'iso31661', 'cc'],
  state: ['state', 'region', 'province', 'iso31662'],
  city: ['city', 'town', 'location', 'place'],
  language: ['language', 'languages', 'lang', 'iso639', 'languagecodes'],
  tags: ['tags', 'tag', 'genre', 'genres', 'category', 'group'],
  codec: ['codec', 'format', 'type'],
  bitrate: ['bitrate', 'kbps', 'quality'],
  latitude: ['latitude', 'lat', 'geolat'],
  longitude: ['longitude', 'lon', 'lng', 'long', 'geolong'],
  votes: ['votes', 'rating', 'likes'],
  id: ['id', 'uuid', 'stationuuid', 'guid'],
};

const BY_ALIAS = new Map(
  COLUMNS.flatMap((column) => ALIASES[column].map((alias) => [alias, column] as const)),
);

/** `Stream URL` -> `address`; undefined for a column that says nothing known. */
export const parseColumn = (heading: string): Column | undefined =>
  BY_ALIAS.get(heading.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''));
