import { stationIn } from '../directory/in-words.ts';
import type { DirectoryStation, Snapshot } from '../directory/snapshot.ts';
import { lineageOf } from '../directory/tree.ts';
import { guideId } from '../lib/guide-id.ts';
import { offsetMinutes, zoneText } from '../lib/zone.ts';
import type { ShowDetails, TopicDetails } from '../opml/describe-show-outlines.ts';
import type { Song, StationDetails } from '../opml/describe-station-outline.ts';
import type { Words } from '../words/words.ts';
import type { Show, Topic } from './catalogue.ts';
import { secondsBetween } from './on-air.ts';
import type { Telling } from './request.ts';

export function stationDetails(
  { snapshot, words, now, saved }: Telling,
  station: DirectoryStation,
  onAir: { hasSchedule: boolean; song: Song | undefined },
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
  { snapshot, words }: Telling,
  genreId: number | null | undefined,
): string | undefined => {
  const genre = snapshot.genreById.get(genreId ?? Number.NaN);
  return genre && words.genreName(genre.slug, genre.name);
};

export function showDetails(telling: Telling, show: Show): ShowDetails {
  const { words } = telling;
  return {
    id: show.id,
    title: show.title,
    isPreset: telling.saved?.has(guideId('p', show.id)) ?? false,
    hosts: show.hosts ?? undefined,
    description: show.description ?? undefined,
    homepage: show.homepage ?? undefined,
    placeName: placeOf(show, words),
    hasTopics: show.has_topics,
    languageName: languageOf(show, words),
    genreId: show.genre_id ?? undefined,
    genreName: genreNameIn(telling, show.genre_id),
    next: nextBroadcast(telling, show),
  };
}

const placeOf = ({ country_code: code, country_name: name }: Show, words: Words): string | undefined =>
  code === null ? undefined : words.countryName(code, name ?? code);

export const languageOf = (
  { language_code: code, language_name: name }: Show,
  words: Words,
): string | undefined => (code === null ? undefined : words.languageName(code, name ?? code));

/** Told in the time of the station that sends it, and in UTC. */
function nextBroadcast({ snapshot, now }: Telling, { broadcasts }: Show): ShowDetails['next'] {
  const next = broadcasts.find(({ ends_at: end }) => Temporal.Instant.compare(end, now) > 0);
  if (!next) return undefined;
  const zone = snapshot.stationById.get(next.station_id)?.zone ?? 'UTC';
  const known = offsetMinutes(zone, now) === undefined ? 'UTC' : zone;
  return {
    start: wallTime(next.starts_at, known),
    startUtc: wallTime(next.starts_at, 'UTC'),
    durationSeconds: secondsBetween(next.starts_at, next.ends_at),
  };
}

/** `2026-01-09T06:00:00`. */
export const wallTime = (at: Temporal.Instant, zone: string): string =>
  at.toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'second' });

export const topicDetails = ({ show, ...topic }: Topic): TopicDetails => ({
  id: topic.id,
  title: topic.title,
  description: topic.description ?? undefined,
  address: topic.address,
  streamType: topic.stream_type,
  format: topic.format ?? undefined,
  durationSeconds: topic.duration_seconds ?? undefined,
  show: { id: show.id, title: show.title, hosts: show.hosts ?? undefined },
});
