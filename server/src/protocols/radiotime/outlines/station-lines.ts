import type { LineSource, Outline } from '../../../formats/opml/document.ts';
import {
  type ListPresentation,
  type OnAir,
  type StationFacts,
  stationOutline,
  withOnAir,
} from '../../../formats/opml/outlines.ts';

/** Immutable stations by number, such as those of a snapshot in one language. */
export interface StationSource {
  /** Cached lines are released together with this object. */
  owner: object;
  language: string;
  count: number;
  factsOf: (rank: number) => StationFacts;
  /** Stations with a show on air. */
  onAir?: StationsOnAir | undefined;
  /** Stations with a known song. */
  songs?: StationsPlaying | undefined;
}

/** A subset of the stations, in any order; immutable too. */
interface SomeStations {
  ranks: readonly number[];
  /** The index of a rank within the subset. */
  placeOf: PlaceOf;
}

type PlaceOf = Pick<ReadonlyMap<number, number>, 'get'>;

/** Stations with a show on air, and that show. */
interface StationsOnAir extends SomeStations {
  /** Unique per set of shows on air. */
  stamp: number;
  shows: readonly Pick<OnAir, 'showId' | 'showTitle'>[];
}

/** Stations with a current song, and that song. */
interface StationsPlaying extends SomeStations {
  songs: readonly Pick<OnAir, 'song' | 'songImage'>[];
}

/**
 * Stations as lines. Most stations of a menu were in an earlier one, so each line is rendered once, and once more with
 * its current show for as long as that is on. `filter` is that of the containing list, if any.
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

/** Lines for a subset of the stations. */
interface HeardLines {
  source: LineSource;
  placeOf: PlaceOf;
}

/** The line of a song includes the show, so songs take precedence. */
function heardLines(stations: StationSource, presentation: ListPresentation): HeardLines[] {
  const { songs, onAir } = stations;
  const heard: HeardLines[] = [];
  if (songs) heard.push({ source: linesPlaying(stations, songs, presentation), placeOf: songs.placeOf });
  if (onAir) heard.push({ source: linesOnAir(stations, onAir, presentation), placeOf: onAir.placeOf });
  return heard;
}

/** Lines with a show or song are stored separately from the plain ones. */
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
