import type { LineSource, Outline } from './document.ts';
import { type ListPresentation, type StationFacts, stationOutline } from './outlines.ts';

/** Stations by number that never change, such as those of a snapshot told in one language. */
export interface StationSource {
  /** What is kept of them goes when it goes. */
  owner: object;
  language: string;
  count: number;
  factsOf: (rank: number) => StationFacts;
}

/**
 * Stations as lines, all of them in one outline, or none. Most menus are made of stations that stood in another before,
 * and each is written only once. The filter is the one of the list they stand in, when that list has one.
 */
export function stationLines(
  stations: StationSource,
  ranks: readonly number[],
  presentation: ListPresentation,
  filter?: string,
): Outline[] {
  if (ranks.length === 0) return [];
  const source = lineSource(stations, presentation);
  return [{ type: 'audio', text: '', run: { source, lines: ranks, filter } }];
}

const lineSource = (
  { owner, language, count, factsOf }: StationSource,
  presentation: ListPresentation,
): LineSource => ({
  owner,
  kind: `${presentation} ${language}`,
  count,
  outlineOf: (rank) => stationOutline(factsOf(rank), presentation),
});
