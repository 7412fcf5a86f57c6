import assert from 'node:assert/strict';

/** A page as a program without scripts has it. */
export interface PageRead {
  status: number;
  lang: string;
  title: string;
  h1: string;
  canonical: string;
  /** `[language, address]` */
  alternates: [string, string][];
  links: string[];
  data: any;
  says: (fact: string, where: string) => void;
  linksTo: (address: string, where: string) => void;
}

export function readPage(status: number, html: string): PageRead {
  const one = (pattern: RegExp): string => plain(pattern.exec(html)?.[1] ?? '');
  const main = /<main[^>]*>([^]*)<\/main>/.exec(html)?.[1] ?? '';
  // Where one element ends and the next begins there is room between the words.
  const text = plain(main);
  const links = [...main.matchAll(/<a href="([^"]*)"/g)].map(([, address = '']) => unescape(address));
  return {
    status,
    lang: one(/<html lang="([^"]*)"/),
    title: one(/<title>([^]*?)<\/title>/),
    h1: one(/<h1[^>]*>([^]*?)<\/h1>/),
    canonical: unescape(/<link rel="canonical" href="([^"]*)"/.exec(html)?.[1] ?? ''),
    alternates: [...html.matchAll(/<link rel="alternate" hreflang="([^"]*)" href="([^"]*)"/g)].map(
      ([, language = '', address = '']) => [language, unescape(address)],
    ),
    links,
    data: JSON.parse(
      /<script type="application\/ld\+json"[^>]*>([^<>]*)<\/script>/.exec(html)?.[1] ?? 'null',
    ),
    says: (fact, where) =>
      assert.ok(text.includes(fact.replaceAll(/\s+/g, ' ').trim()), `${where}: no "${fact}" in ${text}`),
    linksTo: (address, where) =>
      assert.ok(links.includes(address), `${where}: no ${address} in ${links.join(' ')}`),
  };
}

const plain = (html: string): string =>
  unescape(html.replaceAll(/<\/(?:p|li|h\d|time|section|header|div)>/g, ' ').replaceAll(/<[^>]*>/g, ''))
    .replaceAll(/\s+/g, ' ')
    .trim();

const SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescape = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => SIGNS[name] ?? '');

/** The properties that each kind must have, and all that it may have: by schema.org and what search engines require. */
const KINDS: Readonly<Record<string, { must: string[]; may: string[] }>> = {
  RadioStation: {
    must: ['@id', 'name', 'url', 'logo', 'image'],
    may: ['slogan', 'description', 'sameAs', 'address', 'geo'],
  },
  RadioBroadcastService: {
    must: ['@id', 'name', 'broadcastDisplayName', 'broadcaster', 'potentialAction'],
    may: ['callSign', 'broadcastTimezone', 'inLanguage', 'broadcastFrequency', 'hasBroadcastChannel'],
  },
  BroadcastFrequencySpecification: { must: ['broadcastFrequencyValue'], may: ['broadcastSignalModulation'] },
  RadioChannel: { must: ['name', 'genre'], may: [] },
  ListenAction: { must: ['target'], may: [] },
  PostalAddress: { must: [], may: ['addressLocality', 'addressCountry'] },
  GeoCoordinates: { must: ['latitude', 'longitude'], may: [] },
  PodcastSeries: {
    must: ['@id', 'name', 'url', 'image', 'hasPart'],
    may: ['description', 'genre', 'sameAs', 'author'],
  },
  PodcastEpisode: { must: ['name', 'partOfSeries'], may: ['timeRequired'] },
  Person: { must: ['name'], may: [] },
  BreadcrumbList: { must: ['itemListElement'], may: [] },
  CollectionPage: { must: ['name', 'url', 'inLanguage', 'mainEntity'], may: [] },
  ItemList: { must: ['numberOfItems', 'itemListElement'], may: [] },
  ListItem: { must: ['position', 'name'], may: ['item', 'url'] },
  WebSite: { must: ['name', 'url', 'inLanguage', 'potentialAction'], may: [] },
  SearchAction: { must: ['target', 'query-input'], may: [] },
  EntryPoint: { must: ['urlTemplate'], may: [] },
};
const ADDRESSES = new Set(['url', 'logo', 'image', 'sameAs', 'item']);

/** Every node is of a known kind, with what that kind must have and nothing else; nothing is empty. */
export function assertData({ data, canonical }: PageRead, where: string): void {
  assert.equal(data?.['@context'], 'https://schema.org', where);
  const nodes: any[] = data['@graph'];
  assert.ok(nodes.length > 0, where);
  for (const node of nodes) assertNode(node, where);
  const ids = new Set(nodes.flatMap((node) => node['@id'] ?? []));
  for (const id of references(nodes)) assert.ok(ids.has(id), `${where}: ${id} is nowhere`);
  const crumbs = nodes.find((node) => node['@type'] === 'BreadcrumbList')?.itemListElement;
  if (crumbs) assert.equal(crumbs.at(-1).item, canonical.replace(/[?&]lang=..$/, ''), where);
}

function assertNode(node: any, where: string): void {
  const kind = KINDS[node['@type']] ?? assert.fail(`${where}: unknown kind ${node['@type']}`);
  const { must, may } = kind;
  for (const name of must) assert.ok(name in node, `${where}: ${node['@type']} has no ${name}`);
  for (const [name, value] of Object.entries<any>(node)) {
    if (name === '@type') continue;
    assert.ok(must.includes(name) || may.includes(name), `${where}: ${node['@type']} with ${name}`);
    assert.ok(value !== '' && value !== null, `${where}: ${node['@type']} with an empty ${name}`);
    if (ADDRESSES.has(name)) assert.match(value, /^https?:\/\/[^/]+\//, `${where}: ${name}`);
    for (const [at, part] of [value].flat().entries()) {
      if (typeof part === 'object' && '@type' in part) assertNode(part, where);
      if (name === 'itemListElement') assert.equal(part.position, at + 1, where);
    }
  }
}

/** Nodes that others are named by. */
const references = (value: any): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const own = Object.keys(value).join() === '@id' ? [value['@id']] : [];
  return [...own, ...Object.values(value).flatMap(references)];
};
