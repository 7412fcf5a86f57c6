import type { Data } from './head.ts';
import type { Line } from './outlines.ts';

// What a page is about in the words of schema.org, for search engines. Unknown properties are left out by JSON.

/** A step on the way to a page. */
export interface Step {
  name: string;
  /** Whole. */
  url: string;
}

export const breadcrumbs = (steps: readonly Step[]): Data => ({
  '@type': 'BreadcrumbList',
  itemListElement: steps.map(({ name, url }, at) => ({
    '@type': 'ListItem',
    position: at + 1,
    name,
    item: url,
  })),
});

/** The site itself, with its search. */
export const siteData = (origin: string, language: string): Data => ({
  '@type': 'WebSite',
  name: 'Longwave',
  url: `${origin}/listen/`,
  inLanguage: language,
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${origin}/listen/search?q={query}` },
    'query-input': 'required name=query',
  },
});

/** A page that is a list: of a place, a genre, a language. */
export const listData = (
  name: string,
  url: string,
  lines: readonly Line[],
  origin: string,
  language: string,
): Data => ({
  '@type': 'CollectionPage',
  name,
  url,
  inLanguage: language,
  mainEntity: {
    '@type': 'ItemList',
    numberOfItems: lines.length,
    itemListElement: lines.map((line, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name: line.name,
      url: `${origin}${line.address ?? ''}`,
    })),
  },
});

export interface StationData {
  name: string;
  url: string;
  logo: string;
  slogan?: string | undefined;
  description?: string | undefined;
  homepage?: string | undefined;
  callSign?: string | undefined;
  placeName?: string | undefined;
  countryCode?: string | undefined;
  coordinate?: { latitude: number; longitude: number } | undefined;
  genres: readonly string[];
  /** BCP 47. */
  languages: readonly string[];
  frequency?: string | undefined;
  band?: string | undefined;
  zone?: string | undefined;
}

/** The station, and the service by which it is heard: language, genre and frequency are the service's. */
export function stationData(station: StationData): Data[] {
  const { name, url, logo, slogan, description, homepage, placeName, countryCode, coordinate } = station;
  const known = placeName !== undefined || countryCode !== undefined;
  return [
    {
      '@type': 'RadioStation',
      '@id': `${url}#station`,
      name,
      slogan,
      description,
      url,
      logo,
      image: logo,
      sameAs: homepage,
      address: known
        ? { '@type': 'PostalAddress', addressLocality: placeName, addressCountry: countryCode }
        : undefined,
      geo: coordinate && {
        '@type': 'GeoCoordinates',
        latitude: coordinate.latitude,
        longitude: coordinate.longitude,
      },
    },
    serviceData(station),
  ];
}

const serviceData = (station: StationData): Data => ({
  '@type': 'RadioBroadcastService',
  '@id': `${station.url}#service`,
  name: station.name,
  broadcastDisplayName: station.name,
  broadcaster: { '@id': `${station.url}#station` },
  callSign: station.callSign,
  broadcastTimezone: station.zone,
  inLanguage: station.languages.length > 0 ? station.languages : undefined,
  broadcastFrequency: frequencyData(station),
  hasBroadcastChannel:
    station.genres.length > 0
      ? { '@type': 'RadioChannel', name: station.name, genre: station.genres }
      : undefined,
  potentialAction: { '@type': 'ListenAction', target: station.url },
});

function frequencyData({ frequency, band }: StationData): Data | undefined {
  if (frequency === undefined || !(Number(frequency) > 0)) return undefined;
  return {
    '@type': 'BroadcastFrequencySpecification',
    broadcastFrequencyValue: Number(frequency),
    broadcastSignalModulation: band,
  };
}

export interface ShowData {
  name: string;
  url: string;
  image: string;
  description?: string | undefined;
  hosts?: string | undefined;
  homepage?: string | undefined;
  genre?: string | undefined;
  episodes: readonly Line[];
}

export const showData = ({ name, url, image, hosts, homepage, episodes, ...rest }: ShowData): Data => ({
  '@type': 'PodcastSeries',
  '@id': `${url}#show`,
  name,
  url,
  image,
  description: rest.description,
  genre: rest.genre,
  sameAs: homepage,
  author: hosts === undefined ? undefined : { '@type': 'Person', name: hosts },
  hasPart: episodes.map((episode) => ({
    '@type': 'PodcastEpisode',
    name: episode.name,
    timeRequired: episode.seconds === undefined ? undefined : `PT${Math.round(episode.seconds)}S`,
    partOfSeries: { '@id': `${url}#show` },
  })),
});
