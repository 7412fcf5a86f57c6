import { type Coordinate, distanceKm } from '../../lib/geo.ts';
import type { FormatMask } from '../../lib/stream-format.ts';
import { playableBits, wantedBits } from '../directory/groups/compiled-filter.ts';
import { findStation } from '../directory/lookup/lookups.ts';
import type { DirectoryAffiliate, DirectoryStation, Snapshot } from '../directory/snapshot/snapshot.ts';
import type { Hit } from './find.ts';
import { IN_NAME } from './queries.ts';

export interface RankedStation {
  station: DirectoryStation;
  score: number;
  isPlayable: boolean;
}

/** Where the listener is and what the radio plays. */
export interface Listener {
  place: Coordinate | undefined;
  /** ISO 3166-1: `DE`. */
  countryCode?: string | undefined;
  formats: FormatMask;
  /** What was typed. */
  text?: string;
}

/** Score of a station at zero distance; half of it at fifty kilometres: less than a name typed in full. */
const NEXT_DOOR = 200;
const HALF_AT_KM = 50;
/** A station of the listener's country comes before its namesakes abroad, also where those have exactly the name typed. */
const SAME_COUNTRY = 350;
/** A broadcaster that people know comes before its side channels. */
const WELL_KNOWN = 100;
/** Words leave signs out: "NRK P1+" is not "NRK P1". */
const LITERAL = 120;
/** Score difference between a stream that always plays and one that never does. */
const RELIABLE = 60;

/** The stations of the hits, the best for this listener first. Those without a playable stream are left out. */
export function rankFound(
  snapshot: Snapshot,
  hits: readonly Hit[],
  { place, countryCode, formats, text = '' }: Listener,
): RankedStation[] {
  const wanted = wantedBits(formats);
  const typed = text.trim().toLowerCase();
  const ranked: RankedStation[] = [];
  for (const { id, score } of hits) {
    const station = findStation(snapshot, id);
    if (!station) continue;
    const near = place === undefined ? 0 : nearness(snapshot, station, place);
    const isHome = countryCode !== undefined && station.countryCode === countryCode;
    // Among guesses and stations found by their tags, the country says little about what was meant.
    const home = isHome && score >= IN_NAME ? SAME_COUNTRY : 0;
    const known = score >= IN_NAME && snapshot.families.broadcasters.has(station.rank) ? WELL_KNOWN : 0;
    const reliable = (RELIABLE * station.reliability) / 100;
    const isPlayable = (playableBits(station) & wanted) !== 0;
    const literal = station.name.toLowerCase() === typed ? LITERAL : 0;
    ranked.push({ station, score: score + home + known + reliable + near + literal, isPlayable });
  }
  return ranked.toSorted((a, b) => b.score - a.score);
}

function nearness(snapshot: Snapshot, station: DirectoryStation, place: Coordinate): number {
  // A point that is only a guess says nothing.
  const isGuess = station.coordinate !== undefined && snapshot.locations.locationByRank[station.rank] === -1;
  if (isGuess) return 0;
  const at = station.coordinate ?? snapshot.regionById.get(station.regionId ?? Number.NaN)?.coordinate;
  return at === undefined ? 0 : NEXT_DOOR / (1 + distanceKm(at, place) / HALF_AT_KM);
}

/** Stations of a search, each family once. */
export interface FoldedStations {
  stations: RankedStation[];
  /** By rank, for those that stand for other stations found: the network that has them. */
  networks: ReadonlyMap<number, DirectoryAffiliate>;
}

/** The best of each family, up to so many, with the networks behind the first few that stand for others. */
export function foldFamilies(
  { families }: Snapshot,
  ranked: readonly RankedStation[],
  limits: { stations: number; networks: number },
): FoldedStations {
  const shown = new Map<number, RankedStation>();
  const folded = new Set<number>();
  for (const hit of ranked) {
    const family = families.familyOf[hit.station.rank]!;
    if (shown.has(family)) folded.add(family);
    else shown.set(family, hit);
  }
  const stations = [...shown.values()].slice(0, limits.stations);
  const networks = new Map<number, DirectoryAffiliate>();
  for (const { station } of stations) {
    if (networks.size >= limits.networks) break;
    const family = families.familyOf[station.rank]!;
    const network = folded.has(family) ? families.networkOf.get(family) : undefined;
    if (network) networks.set(station.rank, network);
  }
  return { stations, networks };
}
