import type { Aliases } from '../../../core/directory/lookup/by-any-id.ts';
import { findByAnyId } from '../../../core/directory/lookup/by-any-id.ts';
import type { Directory } from '../../../core/directory/directory.ts';
import { placeNameIn, stationIn } from '../../../core/directory/lookup/in-words.ts';
import { findStation } from '../../../core/directory/lookup/lookups.ts';
import {
  type DirectoryStation,
  type DirectoryStream,
  lineageOf,
  type Snapshot,
} from '../../../core/directory/snapshot/snapshot.ts';
import type { Song } from '../../../core/now-playing/song.ts';
import type { Words } from '../../../core/i18n/words.ts';
import type { OpmlDocument, Outline } from '../../../formats/opml/document.ts';
import { Fault } from '../../../lib/fault.ts';
import { offsetMinutes, zoneText } from '../../../lib/zone.ts';
import { breadcrumbs, type Step, stationData } from './data.ts';
import type { PageHead } from './head.ts';
import { type Content, Markup, bdi, linkAway, tag, webAddress } from './markup.ts';
import { pageLink, sectionsOf, writeSection } from './outlines.ts';
import type { Reader, Say } from './reader.ts';

/** What the protocol answers to anybody; undefined where there is no such item. A Fault where the database is away. */
type ReadMenu = (path: string, query: string, words: Words) => Promise<OpmlDocument | undefined>;

export interface FactsDeps {
  directory: Pick<Directory, 'current'>;
  read: ReadMenu;
  /** Ids of other directories; without it they are unknown. */
  aliases?: Pick<Aliases, 'find'> | undefined;
  /** The current song of a station, if it is known; to ask must not make it wanted. */
  songOf?: ((stationId: number) => Pick<Song, 'title' | 'artist'> | undefined) | undefined;
}

/** A page that can be read without scripts, or where it is now. */
export type Facts = { head: PageHead; body: Markup } | { moved: string };

/** For what a page can do without: nothing while the database is away. */
export async function ifThere<T>(reading: Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

export async function factsOfStation(
  id: string,
  deps: FactsDeps,
  reader: Reader,
  say: Say,
): Promise<Facts | undefined> {
  const snapshot = deps.directory.current();
  const find = ({ letter, number }: { letter: string; number: number }): DirectoryStation | undefined =>
    letter === 's' ? findStation(snapshot, number) : undefined;
  const station = await ifThere(findByAnyId(id, deps.aliases ?? NO_ALIASES, find));
  if (!station) return undefined;
  const address = `/listen/station/s${station.id}`;
  // It was merged into another one, or this is the id of another directory.
  if (id !== `s${station.id}`) return { moved: address };
  const told = stationIn(snapshot, station, reader.words);
  const [today, related] = await Promise.all([
    ifThere(scheduleOf(station, deps.read, reader)),
    ifThere(deps.read('/Browse.ashx', `id=${id}`, reader.words)),
  ]);
  const song = deps.songOf?.(station.id);
  const groups = sectionsOf(related?.outlines ?? []).filter(({ key }) => key !== undefined);
  return {
    head: headOf(snapshot, told, address, reader),
    body: tag(
      'article',
      { class: 'facts' },
      tag(
        'header',
        { class: 'first-head' },
        tag('img', { src: `/logos/${id}d.png`, alt: '', width: '168', height: '168' }),
        tag('div', {}, tag('h1', {}, bdi(told.name)), factsLine(told, reader), sloganOf(told)),
      ),
      onNow(song, today, reader, say),
      aboutOf(told, say),
      scheduleSection(today, reader, say),
      tag('section', {}, tag('h2', {}, say('station.streams')), streamList(station.streams)),
      ...groups.map((section) => writeSection(section, reader, say)),
    ),
  };
}

const NO_ALIASES: Pick<Aliases, 'find'> = { find: async () => undefined };

function headOf(snapshot: Snapshot, station: DirectoryStation, address: string, reader: Reader): PageHead {
  const { origin, words } = reader;
  const { id, name, slogan, description, placeName } = station;
  const listen = words.text(placeName === undefined ? 'site.station' : 'site.stationIn', {
    name,
    place: placeName ?? '',
  });
  const url = origin + address;
  const image = `/logos/s${id}g.png`;
  const genres = station.genreIds.flatMap((each) => snapshot.genreById.get(each) ?? []);
  return {
    title: name,
    description: [listen, slogan, description].filter(Boolean).join(' '),
    address,
    image,
    kind: 'music.radio_station',
    data: [
      ...stationData({
        ...station,
        url,
        logo: origin + image,
        homepage: webAddress(station.homepage),
        genres: genres.map((genre) => words.genreName(genre.slug, genre.name)),
        languages: station.languageIds.flatMap((each) => snapshot.languageById.get(each)?.code ?? []),
      }),
      breadcrumbs([...wayTo(snapshot, station, reader), { name, url }]),
    ],
  };
}

/** From the start of the site through country and town. */
function wayTo(snapshot: Snapshot, { regionId }: DirectoryStation, { origin, words }: Reader): Step[] {
  const region = snapshot.regionById.get(regionId ?? Number.NaN);
  const places = region ? lineageOf(region).filter(({ kind }) => kind === 'country' || kind === 'city') : [];
  return [
    { name: 'Longwave', url: `${origin}/listen/` },
    ...places.toReversed().map((place) => ({
      name: placeNameIn(place, words) ?? place.name,
      url: `${origin}/listen/browse?id=r${place.id}`,
    })),
  ];
}

/** Place, frequency, language and genre, as under the name on the page itself. */
function factsLine(station: DirectoryStation, reader: Reader): Markup {
  const { placeName, regionId, frequency, band, languageName, genreName, genreId } = station;
  const facts: (Markup | undefined)[] = [
    named(placeName, regionId === undefined ? undefined : `/listen/browse?id=r${regionId}`, reader),
    named(
      frequency === undefined || frequency === '0' ? undefined : [frequency, band].filter(Boolean).join(' '),
      undefined,
      reader,
    ),
    named(languageName, undefined, reader),
    named(genreName, genreId === undefined ? undefined : `/listen/browse?id=g${genreId}`, reader),
  ];
  return inOneLine(facts);
}

/** Known facts in a line, separated by dots. */
export const inOneLine = (facts: readonly (Markup | undefined)[]): Markup =>
  tag(
    'p',
    {},
    facts.filter((fact) => fact !== undefined).map((fact, at): Content => [at > 0 && ' · ', fact]),
  );

export function named(
  text: string | undefined,
  address: string | undefined,
  reader: Reader,
): Markup | undefined {
  if (text === undefined || text === '') return undefined;
  return address === undefined ? bdi(text) : pageLink(address, text, reader);
}

const sloganOf = ({ slogan }: DirectoryStation): Markup | undefined =>
  slogan === undefined ? undefined : tag('p', {}, bdi(slogan));

function aboutOf({ description, homepage }: DirectoryStation, say: Say): Content {
  const address = webAddress(homepage);
  if (description === undefined && address === undefined) return undefined;
  return tag(
    'section',
    {},
    tag('h2', {}, say('station.about')),
    description !== undefined && tag('p', { dir: 'auto' }, description),
    address !== undefined && tag('p', {}, linkAway(address)),
  );
}

const streamList = (streams: readonly DirectoryStream[]): Markup =>
  tag(
    'ul',
    {},
    [...new Set(streams.map(streamText))].map((text) => tag('li', {}, text)),
  );

/** `AAC · 64 kbit/s`, as far as it is known. */
function streamText({ codec, format, bitrate }: DirectoryStream): string {
  const kind = (codec ?? format ?? '').toUpperCase();
  return [kind, bitrate > 0 && `${bitrate} kbit/s`].filter(Boolean).join(' · ') || '?';
}

/** A day of a station, by its own clock. */
interface Today {
  entries: readonly Outline[];
  offset: number;
  zone: string;
  now: Temporal.Instant;
}

async function scheduleOf(
  { id, zone = 'UTC' }: DirectoryStation,
  read: ReadMenu,
  { words }: Reader,
): Promise<Today | undefined> {
  const now = Temporal.Now.instant();
  const offset = Math.round(offsetMinutes(zone, now) ?? 0);
  const menu = await read('/Browse.ashx', `c=schedule&id=s${id}&offset=${offset}`, words);
  const entries = menu?.outlines.filter(({ start }) => start !== undefined) ?? [];
  return { entries, offset, zone: zoneText(zone, now) ?? 'GMT', now };
}

function scheduleSection(today: Today | undefined, reader: Reader, say: Say): Content {
  if (!today || today.entries.length === 0) return undefined;
  return tag(
    'section',
    {},
    tag('h2', {}, say('station.schedule')),
    tag('p', {}, `${say('station.today')} · ${today.zone}`),
    tag(
      'ul',
      {},
      today.entries.map((entry) =>
        tag(
          'li',
          {},
          tag('time', { datetime: startOf(entry, today).toString() }, entry.start?.slice(11, 16)),
          ' ',
          titleOf(entry, reader),
        ),
      ),
    ),
  );
}

const titleOf = ({ text, guideId }: Outline, reader: Reader): Markup =>
  guideId?.startsWith('p') ? pageLink(`/listen/show/${guideId}`, text, reader) : bdi(text);

const startOf = ({ start = '' }: Outline, { offset }: Today): Temporal.Instant =>
  Temporal.Instant.from(`${start}Z`).subtract({ minutes: offset });

/** What is heard just now: the song, and the show by the schedule. */
function onNow(
  song: Pick<Song, 'title' | 'artist'> | undefined,
  today: Today | undefined,
  reader: Reader,
  say: Say,
): Content {
  const show = today?.entries.find((entry) => {
    const start = startOf(entry, today);
    const end = start.add({ seconds: Math.round(entry.duration ?? 0) });
    return Temporal.Instant.compare(start, today.now) <= 0 && Temporal.Instant.compare(today.now, end) < 0;
  });
  if (!song && !show) return undefined;
  return tag(
    'section',
    {},
    tag('h2', {}, say('station.now')),
    song && tag('p', {}, bdi(songText(song))),
    show && tag('p', {}, titleOf(show, reader)),
  );
}

export const songText = ({ title, artist }: Pick<Song, 'title' | 'artist'>): string =>
  artist === undefined || artist === '' ? title : `${artist} – ${title}`;
