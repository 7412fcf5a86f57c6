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
}

/** Some of the stations, with what each has on air, in any order. It does not change either. */
export interface StationsOnAir {
  ranks: readonly number[];
  shows: readonly OnAir[];
  /** Where a rank stands among them. */
  placeOf: ReadonlyMap<number, number>;
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
  const { onAir } = stations;
  const runs = onAir
    ? apart(plain, linesOnAir(stations, onAir, presentation), onAir, ranks)
    : [{ source: plain, lines: ranks }];
  return runs.map(({ source, lines }) => ({ type: 'audio', text: '', run: { source, lines, filter } }));
}

interface Lines {
  source: LineSource;
  lines: readonly number[];
}

/** What is on air lies elsewhere than all the rest. */
function apart(
  plain: LineSource,
  heard: LineSource,
  { placeOf }: StationsOnAir,
  ranks: readonly number[],
): Lines[] {
  const runs: Lines[] = [];
  let source: LineSource | undefined;
  let lines: number[] = [];
  for (const rank of ranks) {
    const place = placeOf.get(rank);
    const own = place === undefined ? plain : heard;
    if (own !== source) runs.push({ source: (source = own), lines: (lines = []) });
    lines.push(place ?? rank);
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
