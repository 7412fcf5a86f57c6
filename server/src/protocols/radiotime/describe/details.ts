import { stationIn } from '../../../core/directory/lookup/in-words.ts';
import {
  type DirectoryStation,
  lineageOf,
  type Snapshot,
} from '../../../core/directory/snapshot/snapshot.ts';
import type { Words } from '../../../core/i18n/words.ts';
import type { Outline } from '../../../formats/opml/document.ts';
import { guideId } from '../../../lib/guide-id.ts';
import { offsetMinutes, zoneText } from '../../../lib/zone.ts';
import { type ShowDetails, showObject, topicObject } from '../outlines/describe-show-outlines.ts';
import {
  type DescribedSong,
  type StationDetails,
  stationObject,
} from '../outlines/describe-station-outline.ts';
import type { Show } from './catalogue.ts';
import { secondsUntil } from './on-air.ts';
import type { DescribeRequest, Item, DescribeContext } from './request.ts';

function stationDetails(
  { snapshot, words, now, saved }: DescribeContext,
  station: DirectoryStation,
  onAir: { hasSchedule: boolean; song: DescribedSong | undefined },
): StationDetails {
  const { zone } = station;
  return {
    ...stationIn(snapshot, station, words),
    ...onAir,
    isPreset: saved?.has(guideId('s', station.id)) ?? false,
    isMusic: isMusic(snapshot, station),
    countryRegionId: countryRegionId(snapshot, station),
    zoneText: zone === undefined ? undefined : zoneText(zone, now),
    zoneOffsetMinutes: zone === undefined ? undefined : offsetMinutes(zone, now),
  };
}

function isMusic(snapshot: Snapshot, { genreId = Number.NaN }: DirectoryStation): boolean {
  const genre = snapshot.genreById.get(genreId);
  return genre !== undefined && lineageOf(genre).at(-1)?.slug === 'music';
}

function countryRegionId(
  snapshot: Snapshot,
  { regionId = Number.NaN }: DirectoryStation,
): number | undefined {
  const region = snapshot.regionById.get(regionId);
  return region && lineageOf(region).find(({ kind }) => kind === 'country')?.id;
}

export const genreNameIn = (
  { snapshot, words }: DescribeContext,
  genreId: number | null | undefined,
): string | undefined => {
  const genre = snapshot.genreById.get(genreId ?? Number.NaN);
  return genre && words.genreName(genre.slug, genre.name);
};

function showDetails(context: DescribeContext, show: Show): ShowDetails {
  const { words } = context;
  return {
    isPreset: context.saved?.has(guideId('p', show.id)) ?? false,
    placeName: placeOf(show, words),
    languageName: languageOf(show, words),
    genreName: genreNameIn(context, show.genre_id),
    next: nextBroadcast(context, show),
  };
}

const placeOf = ({ country_code: code, country_name: name }: Show, words: Words): string | undefined =>
  code === null ? undefined : words.countryName(code, name ?? code);

export const languageOf = (
  { language_code: code, language_name: name }: Show,
  words: Words,
): string | undefined => (code === null ? undefined : words.languageName(code, name ?? code));

/** In the station's local time, and in UTC. */
function nextBroadcast({ snapshot, now }: DescribeContext, { broadcasts }: Show): ShowDetails['next'] {
  const next = broadcasts.find(({ ends_at: end }) => Temporal.Instant.compare(end, now) > 0);
  if (!next) return undefined;
  const zone = snapshot.stationById.get(next.station_id)?.zone ?? 'UTC';
  const known = offsetMinutes(zone, now) === undefined ? 'UTC' : zone;
  return {
    start: wallTime(next.starts_at, known),
    startUtc: wallTime(next.starts_at, 'UTC'),
    durationSeconds: secondsUntil(next.starts_at, next.ends_at),
  };
}

/** `2026-01-09T06:00:00`. */
export const wallTime = (at: Temporal.Instant, zone: string): string =>
  at.toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'second' });

/** The item itself, with all its fields. */
export async function itemObject(request: DescribeRequest, item: Item): Promise<Outline> {
  if (item.kind === 'topic') return topicObject(item.topic, item.topic.show);
  if (item.kind === 'show') return showObject(item.show, showDetails(request, item.show));
  const { station } = item;
  const schedule = await request.catalogue.listOnAir(station.id);
  const { song } = request.songOf(station.id);
  const onAir = { hasSchedule: schedule.length > 0, song };
  return stationObject(stationDetails(request, station, onAir));
}
