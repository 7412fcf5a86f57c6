import type { DescribedObject } from '../../../formats/opml/document.ts';
import { numberOf } from '../../../lib/guide-id.ts';
import { breadcrumbs, showData } from './data.ts';
import type { PageHead } from './head.ts';
import { linkAway, type Markup, bdi, tag, webAddress } from './markup.ts';
import { type Section, sectionsOf, writeSection } from './outlines.ts';
import type { Reader, Say } from './reader.ts';
import { type Facts, type FactsDeps, ifThere, inOneLine, named } from './station-page.ts';

/** A field of a description; undefined if it is empty. */
const factIn = ({ fields }: DescribedObject, name: string): string | undefined => {
  const value = fields.find(([each]) => each === name)?.[1];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
};

/** A show: what it is, which stations have it on the air, and its newest episodes. */
export async function factsOfShow(
  id: string,
  { read }: FactsDeps,
  reader: Reader,
  say: Say,
): Promise<Facts | undefined> {
  const described = await read('/Describe.ashx', `id=${id}`, reader.words);
  const show = described?.outlines[0]?.object;
  const own = show?.element === 'show' ? factIn(show, 'guideId') : undefined;
  if (!show || own === undefined || numberOf('p', own) === undefined) return undefined;
  const address = `/listen/show/${own}`;
  if (own !== id) return { moved: address };
  const [topics, heard] = await Promise.all([
    ifThere(read('/Browse.ashx', `c=topics&id=${id}`, reader.words)),
    ifThere(read('/Tune.ashx', `c=pbrowse&id=${id}`, reader.words)),
  ]);
  const episodes = sectionsOf(topics?.outlines ?? []).filter(hasKind('topic'));
  const stations = sectionsOf(heard?.outlines ?? []).filter(hasKind('station'));
  const title = factIn(show, 'title') ?? '';
  return {
    head: headOf(show, { title, address, id }, episodes, reader),
    body: tag(
      'article',
      { class: 'facts' },
      tag(
        'header',
        { class: 'first-head' },
        tag('img', { src: `/logos/${id}d.png`, alt: '', width: '168', height: '168' }),
        tag('div', {}, tag('h1', {}, bdi(title)), hostsOf(show), factsLine(show, reader)),
      ),
      descriptionOf(show),
      ...stations.map((section) => writeSection(section, reader, say)),
      ...episodes.map((section) => writeSection({ ...section, title: say('show.topics') }, reader, say)),
    ),
  };
}

const hasKind =
  (wanted: 'topic' | 'station') =>
  ({ lines }: Section): boolean =>
    lines.some(({ kind }) => kind === wanted);

interface Named {
  title: string;
  address: string;
  id: string;
}

function headOf(
  show: DescribedObject,
  { title, address, id }: Named,
  episodes: readonly Section[],
  { origin, words }: Reader,
): PageHead {
  const description = factIn(show, 'description');
  const url = origin + address;
  const image = `/logos/${id}g.png`;
  return {
    title,
    description: [words.text('site.show', { name: title }), description].filter(Boolean).join(' '),
    address,
    image,
    kind: 'website',
    data: [
      showData({
        name: title,
        url,
        image: origin + image,
        description,
        hosts: factIn(show, 'hosts'),
        homepage: webAddress(factIn(show, 'url')),
        genre: factIn(show, 'genreName'),
        episodes: episodes.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'topic')),
      }),
      breadcrumbs([
        { name: 'Longwave', url: `${origin}/listen/` },
        { name: title, url },
      ]),
    ],
  };
}

const hostsOf = (show: DescribedObject): Markup | undefined => {
  const hosts = factIn(show, 'hosts');
  return hosts === undefined ? undefined : tag('p', {}, bdi(hosts));
};

function factsLine(show: DescribedObject, reader: Reader): Markup {
  const genre = factIn(show, 'genreId');
  const homepage = webAddress(factIn(show, 'url'));
  return inOneLine([
    named(factIn(show, 'genreName'), genre && `/listen/browse?id=${genre}`, reader),
    named(factIn(show, 'language'), undefined, reader),
    named(factIn(show, 'location'), undefined, reader),
    homepage === undefined ? undefined : linkAway(homepage),
  ]);
}

const descriptionOf = (show: DescribedObject): Markup | undefined => {
  const description = factIn(show, 'description');
  return description === undefined ? undefined : tag('p', { dir: 'auto' }, description);
};
