import { guideId } from '../../lib/guide-id.ts';
import { formatNames } from '../../lib/stream-format.ts';
import type { FormatMask } from '../../lib/stream-format.ts';
import { cleanMarkupText } from './characters.ts';
import type { Address, DescribedObject, HostFile, Outline, Target } from './document.ts';

/** A link to a menu. Index entries need a key: clients drop an entry without one, or crash. */
export const linkOutline = (
  text: string,
  target: Target | Address,
  names: { key?: string | undefined; guideId?: string | undefined } = {},
): Outline => ({ type: 'link', text, target, ...names });

export const textOutline = (
  text: string,
  names: { key?: string | undefined; guideId?: string | undefined } = {},
): Outline => ({ type: 'text', text, ...names });

/** An item with its fields, as Describe gives it. */
export const objectOutline = (
  text: string,
  element: DescribedObject['element'],
  fields: DescribedObject['fields'],
): Outline => ({ type: 'object', text, object: { element, fields } });

/** A heading with its children; not written if there are none. */
export const groupOutline = (text: string, key: string, children: readonly Outline[]): Outline => ({
  text,
  key,
  children,
});

/** The search line: the client puts the listener's words where the target's parameters have `{QUERY}`. */
export const searchOutline = (text: string, target: Target): Outline => ({
  type: 'search',
  text,
  target,
  key: 'search',
});

/** The last line of a list with more pages. The English words stay in every locale: a client matches them. */
export const moreStations = (target: Target): Outline =>
  linkOutline('More Stations', target, { key: 'nextStations' });

export const moreShows = (target: Target): Outline => linkOutline('More Shows', target, { key: 'nextShows' });

/** The contents of a station's line; anything with these facts can be presented. */
export interface StationFacts {
  id: number;
  name: string;
  frequency?: string | undefined;
  genreName?: string | undefined;
  genreId?: number | undefined;
  placeName?: string | undefined;
  slogan?: string | undefined;
  languageName?: string | undefined;
  bitrate: number;
  reliability: number;
  formats: FormatMask;
}

/** A list by place omits the place, a list by genre the genre; presets lead with the frequency. */
export type Presentation = ListPresentation | 'preset';
export type ListPresentation = 'byPlace' | 'byGenre';

/** The filter is that of the list the station is in, if any. */
export function stationOutline(station: StationFacts, presentation: Presentation, filter?: string): Outline {
  const id = guideId('s', station.id);
  return {
    type: 'audio',
    text: stationText(station, presentation),
    target: { path: '/Tune.ashx', params: [['id', id]], filter },
    bitrate: Math.max(0, station.bitrate),
    reliability: Math.min(100, Math.max(0, station.reliability)),
    guideId: id,
    subtext: stationSubtext(station),
    genreId: station.genreId === undefined ? undefined : guideId('g', station.genreId),
    formats: formatNames(station.formats).join(',') || undefined,
    item: 'station',
    image: logoOf(id),
    nowPlayingId: id,
    presetId: id,
  };
}

/** What is on the air now, in a station's line. */
export interface OnAir {
  /** `Artist - Title`. */
  song?: string | undefined;
  songImage?: HostFile | Address | undefined;
  showId?: number | undefined;
  showTitle?: string | undefined;
}

export function withOnAir(outline: Outline, { song, songImage, showId, showTitle }: OnAir): Outline {
  const playing = firstVisible(song);
  return {
    ...outline,
    subtext: playing ?? firstVisible(showTitle, outline.subtext),
    playing,
    playingImage: songImage,
    showId: showId === undefined ? undefined : guideId('p', showId),
    currentTrack: showTitle,
  };
}

/** The square logo of an item, in the size that lists show. */
export const logoOf = (id: string): HostFile => ({ path: `/logos/${id}q.png` });

function stationText(station: StationFacts, presentation: Presentation): string {
  const { name, frequency, genreName, placeName } = station;
  if (presentation === 'byGenre') return inBrackets(name, placeName);
  if (presentation === 'preset') return inBrackets(frequency ? `${frequency} | ${name}` : name, genreName);
  const isSaid = !frequency || name.includes(frequency);
  return inBrackets(isSaid ? name : `${name} ${frequency}`, genreName);
}

const inBrackets = (name: string, more: string | undefined): string => (more ? `${name} (${more})` : name);

/** Never empty: clients leave out a station without it. */
const stationSubtext = (station: StationFacts): string =>
  firstVisible(station.slogan, station.languageName, station.placeName, station.genreName, station.name) ??
  guideId('s', station.id);

const firstVisible = (...texts: (string | undefined)[]): string | undefined =>
  texts.find((text) => text !== undefined && cleanMarkupText(text).trim() !== '');
