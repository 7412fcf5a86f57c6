import { lineageOf, type Snapshot } from '../../../core/directory/snapshot/snapshot.ts';
import { placeNameIn } from '../../../core/directory/lookup/in-words.ts';
import { numberOf } from '../../../lib/guide-id.ts';
import { breadcrumbs, listData, siteData, type Step } from './data.ts';
import { type Content, tag } from './markup.ts';
import { browseAddressOf, pageLink, type Section, sectionsOf, writeLine, writeSection } from './outlines.ts';
import type { Reader, Say } from './reader.ts';
import { type Facts, type FactsDeps, ifThere } from './station-page.ts';

const IMAGE = '/listen/icon-512.png';
/** Menus that are somebody's own, and empty for a stranger. */
const OWN = new Set(['presets', 'local']);
/** Of the query of a page worth finding; a later page or another cut of the same list is not. */
const WORTH_FINDING = /^(?:c=(?!presets|local)[a-z]+(?:&filter=l\d+)?|id=[a-z]\d+)?$/;

/** A menu of the directory: a place, a genre, a language or the index. */
export async function factsOfMenu(
  query: string,
  deps: FactsDeps,
  reader: Reader,
  say: Say,
): Promise<Facts | undefined> {
  const params = new URLSearchParams(query);
  const address = browseAddressOf(params);
  const asked = address.replace(/^[^?]*\??/, '');
  const menu = OWN.has(params.get('c')?.toLowerCase() ?? '')
    ? { outlines: [] }
    : await deps.read('/Browse.ashx', asked, reader.words);
  if (!menu) return undefined;
  const { origin, words } = reader;
  const title = (asked === '' ? undefined : menu.title) ?? say('shell.browse');
  const id = params.get('id') ?? '';
  const snapshot = deps.directory.current();
  const sections = sectionsOf(menu.outlines);
  const heard = sections.flatMap(({ lines }) =>
    lines.filter(({ kind, address: page }) => kind !== 'text' && kind !== 'topic' && page !== undefined),
  );
  return {
    head: {
      title,
      description: words.text(numberOf('r', id) === undefined ? 'site.menu' : 'site.place', { name: title }),
      address,
      image: IMAGE,
      kind: 'website',
      isIndexed: WORTH_FINDING.test(asked),
      data: [
        listData(title, origin + address, heard, origin, words.spoken),
        breadcrumbs([...wayTo(snapshot, id, reader, say), { name: title, url: origin + address }]),
      ],
    },
    body: tag(
      'article',
      { class: 'facts' },
      tag('h1', {}, title),
      ...sections.map((section) => writeSection(section, reader, say)),
    ),
  };
}

/** The menus above this one: the index, and for a place or a genre what it is part of. */
function wayTo(snapshot: Snapshot, id: string, { origin, words }: Reader, say: Say): Step[] {
  const region = snapshot.regionById.get(numberOf('r', id) ?? Number.NaN);
  const genre = snapshot.genreById.get(numberOf('g', id) ?? Number.NaN);
  const above = region
    ? lineageOf(region).map((place) => ({
        name: placeNameIn(place, words),
        url: `${origin}/listen/browse?id=r${place.id}`,
      }))
    : genre
      ? lineageOf(genre).map((each) => ({
          name: words.genreName(each.slug, each.name),
          url: `${origin}/listen/browse?id=g${each.id}`,
        }))
      : [];
  return [
    { name: 'Longwave', url: `${origin}/listen/` },
    { name: say('shell.browse'), url: `${origin}/listen/browse` },
    ...above
      .slice(1)
      .toReversed()
      .flatMap(({ name, url }) => (name === undefined ? [] : [{ name, url }])),
  ];
}

/** The entries to the directory, as on the home page of the site: the key of their title, and their menu. */
const WAYS = [
  ['home.music', 'c=music'],
  ['home.talk', 'c=talk'],
  ['home.sports', 'c=sports'],
  ['home.podcasts', 'c=podcast'],
  ['home.languages', 'c=lang'],
  ['home.places', 'id=r0'],
] as const;

/** The home page: popular stations, and every way into the directory. */
export async function factsOfHome(deps: FactsDeps, reader: Reader, say: Say): Promise<Facts> {
  const { origin, words } = reader;
  const menuOf = async (query: string): Promise<Section[]> =>
    sectionsOf((await ifThere(deps.read('/Browse.ashx', query, words)))?.outlines ?? []);
  const [popular, ...ways] = await Promise.all([
    menuOf('c=popular'),
    ...WAYS.map(([, query]) => menuOf(query)),
  ]);
  const stations = popular.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'station'));
  const way = ([key, query]: (typeof WAYS)[number], at: number): Content => [
    tag('h3', {}, pageLink(`/listen/browse?${query}`, say(key), reader)),
    tag(
      'ul',
      {},
      linksOf(ways[at] ?? []).map((line) => writeLine(line, reader)),
    ),
  ];
  return {
    head: {
      title: 'Longwave',
      description: say('home.intro'),
      address: '/listen/',
      image: IMAGE,
      kind: 'website',
      data: [siteData(origin, words.spoken)],
    },
    body: tag(
      'article',
      { class: 'facts' },
      tag('h1', { class: 'first-intro' }, say('home.intro')),
      tag(
        'section',
        {},
        tag('h2', {}, say('home.popular')),
        tag(
          'ul',
          {},
          stations.map((line) => writeLine(line, reader)),
        ),
        tag('p', {}, pageLink('/listen/browse?c=popular', say('home.all'), reader)),
      ),
      tag('section', {}, tag('h2', {}, say('home.ways')), WAYS.map(way)),
    ),
  };
}

const linksOf = (sections: readonly Section[]): Section['lines'] =>
  sections.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'link'));
