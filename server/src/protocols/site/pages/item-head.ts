import type { Directory } from '../../../core/directory/directory.ts';
import { findStation } from '../../../core/directory/lookup/lookups.ts';
import type { DirectoryStation } from '../../../core/directory/snapshot/snapshot.ts';
import type { Words } from '../../../core/i18n/words.ts';
import { numberOf } from '../../../lib/guide-id.ts';
import { findShow } from '../../../storage/catalog/shows/shows.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { PageHead } from './head.ts';

export interface HeadDeps {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
}

/** `https://listen.example.org`, and the reader's language. */
export interface Reader {
  origin: string;
  words: Words;
}

const SCHEMA = 'https://schema.org';

export function stationHead(id: string, { directory }: HeadDeps, reader: Reader): PageHead | undefined {
  const number = numberOf('s', id);
  const station = number === undefined ? undefined : findStation(directory.current(), number);
  return station && headOf(station, reader);
}

function headOf(station: DirectoryStation, { origin, words }: Reader): PageHead {
  const { id, name, slogan, description, placeName } = station;
  const canonical = `${origin}/listen/station/s${id}`;
  const image = `${origin}/logos/s${id}g.png`;
  const listen = words.text(placeName === undefined ? 'site.station' : 'site.stationIn', {
    name,
    place: placeName ?? '',
  });
  const said = [listen, slogan, description].filter(Boolean).join(' ');
  return {
    title: name,
    description: said,
    canonical,
    image,
    kind: 'music.radio_station',
    data: stationData(station, canonical, image),
  };
}

function stationData(station: DirectoryStation, url: string, logo: string): Record<string, unknown> {
  const { name, slogan, placeName, countryCode, homepage, coordinate } = station;
  const address = { '@type': 'PostalAddress', addressLocality: placeName, addressCountry: countryCode };
  const geo = coordinate && { '@type': 'GeoCoordinates', ...degrees(coordinate) };
  return {
    '@context': SCHEMA,
    '@type': 'RadioStation',
    name,
    slogan,
    url,
    logo,
    image: logo,
    sameAs: homepage,
    ...(placeName === undefined && countryCode === undefined ? {} : { address }),
    ...(geo ? { geo } : {}),
  };
}

const degrees = ({
  latitude,
  longitude,
}: {
  latitude: number;
  longitude: number;
}): Record<string, number> => ({
  latitude,
  longitude,
});

export async function showHead(id: string, { db }: HeadDeps, reader: Reader): Promise<PageHead | undefined> {
  const number = numberOf('p', id);
  const show = number === undefined ? undefined : await findShow(db, number);
  if (!show?.listed) return undefined;
  const { origin, words } = reader;
  const canonical = `${origin}/listen/show/${id}`;
  const image = `${origin}/logos/${id}g.png`;
  const listen = words.text('site.show', { name: show.title });
  const author = show.hosts === null ? undefined : { '@type': 'Person', name: show.hosts };
  return {
    title: show.title,
    description: [listen, show.description].filter(Boolean).join(' '),
    canonical,
    image,
    kind: 'website',
    data: { '@context': SCHEMA, '@type': 'PodcastSeries', name: show.title, url: canonical, image, author },
  };
}
