import type { LineSource, Outline } from './document.ts';
import {
  type ListPresentation,
  type OnAir,
  type StationFacts,
  stationOutline,
  withOnAir,
} from './outlines.ts';

/** Stations by number that never change, such as those of a snapshot told in one language. */
export interface StationSource {
  /** What is kept of them goes when it goes. */
  owner: object;
  language: string;
  count: number;
  factsOf: (rank: number) => StationFacts;
  /** Of those that have something on air. */
  onAir?: StationsOnAir | undefined;
  /** Of those whose song is known. */
  songs?: StationsPlaying | undefined;
}

/** Some of the stations, in any order. It does not change either. */
interface SomeStations {
  ranks: readonly number[];
  /** Where a rank stands among them. */
  placeOf: PlaceOf;
}

type PlaceOf = Pick<ReadonlyMap<number, number>, 'get'>;

/** Those that have a show on air, and that show. */
export interface StationsOnAir extends SomeStations {
  /** No others of the same stations have it. */
  stamp: number;
  shows: readonly Pick<OnAir, 'showId' | 'showTitle'>[];
}

/** Those that play a song, and that song. */
export interface StationsPlaying extends SomeStations {
  songs: readonly Pick<OnAir, 'song' | 'songImage'>[];
}

/**
 * Stations as lines. Most menus are made of stations that stood in another before, and each is written only once, with
 * what it has on air once more for as long as it has that. The filter is the one of the list they stand in, when that
 * list has one.
 */
export function stationLines(
  stations: StationSource,
  ranks: readonly number[],
  presentation: ListPresentation,
  filter?: string,
): Outline[] {
  if (ranks.length === 0) return [];
  const plain = plainLines(stations, presentation);
  const heard = heardLines(stations, presentation);
  const runs = heard.length > 0 ? apart(plain, heard, ranks) : [{ source: plain, lines: ranks }];
  return runs.map(({ source, lines }) => ({ type: 'audio', text: '', run: { source, lines, filter } }));
}

interface Lines {
  source: LineSource;
  lines: readonly number[];
}

/** Lines of some of the stations. */
interface HeardLines {
  source: LineSource;
  placeOf: PlaceOf;
}

/** A station that plays a song has its show in that line too, so songs come first. */
function heardLines(stations: StationSource, presentation: ListPresentation): HeardLines[] {
  const { songs, onAir } = stations;
  const heard: HeardLines[] = [];
  if (songs) heard.push({ source: linesPlaying(stations, songs, presentation), placeOf: songs.placeOf });
  if (onAir) heard.push({ source: linesOnAir(stations, onAir, presentation), placeOf: onAir.placeOf });
  return heard;
}

/** What is heard lies elsewhere than all the rest. */
function apart(plain: LineSource, heard: readonly HeardLines[], ranks: readonly number[]): Lines[] {
  const runs: Lines[] = [];
  let source: LineSource | undefined;
  let lines: number[] = [];
  for (const rank of ranks) {
    let own = plain;
    let line = rank;
    for (const some of heard) {
      const place = some.placeOf.get(rank);
      if (place === undefined) continue;
      own = some.source;
      line = place;
      break;
    }
    if (own !== source) runs.push({ source: (source = own), lines: (lines = []) });
    lines.push(line);
  }
  return runs;
}

const plainLines = (
  { owner, language, count, factsOf }: StationSource,
  presentation: ListPresentation,
): LineSource => ({
  owner,
  kind: `${presentation} ${language}`,
  count,
  outlineOf: (rank) => stationOutline(factsOf(rank), presentation),
});

const linesOnAir = (
  { language, factsOf }: StationSource,
  onAir: StationsOnAir,
  presentation: ListPresentation,
): LineSource => ({
  owner: onAir,
  kind: `${presentation} ${language}`,
  count: onAir.ranks.length,
  outlineOf: (place) =>
    withOnAir(stationOutline(factsOf(onAir.ranks[place]!), presentation), onAir.shows[place]!),
});

const linesPlaying = (
  { language, factsOf, onAir }: StationSource,
  songs: StationsPlaying,
  presentation: ListPresentation,
): LineSource => ({
  owner: songs,
  kind: `${presentation} ${language} ${onAir?.stamp}`,
  count: songs.ranks.length,
  outlineOf: (place) => {
    const rank = songs.ranks[place]!;
    const show = onAir?.shows[onAir.placeOf.get(rank) ?? NOWHERE];
    return withOnAir(stationOutline(factsOf(rank), presentation), { ...show, ...songs.songs[place] });
  },
});

const NOWHERE = -1;
