import { forEachYielding } from '../../../lib/clock.ts';
import { positionOf, squaredReach } from '../nearby/locations.ts';
import type { DirectoryStation } from '../snapshot/snapshot.ts';
import type { SnapshotStationDraft } from '../snapshot/station-draft.ts';
import type { BroadcastArea } from './broadcasters.ts';
import type { HeardArea, HeardAreas } from './heard-areas.ts';

/** An area with the stations of its broadcasters; one broadcaster can have several. */
export interface FoundArea {
  readonly area: BroadcastArea;
  readonly stations: readonly (readonly DirectoryStation[])[];
}

/** The stations of known broadcasters, by name and country. */
export async function findBroadcasters(
  areas: readonly BroadcastArea[],
  drafts: readonly SnapshotStationDraft[],
): Promise<FoundArea[]> {
  const wanted = namesByCountry(areas);
  const found = new Map<ReadonlySet<string>, Map<string, DirectoryStation[]>>();
  await forEachYielding(drafts, ({ station, nameKey }) => {
    const names = wanted.get(station.countryCode ?? '');
    const name = names && wantedName(names, station, nameKey);
    if (name === undefined) return;
    found
      .getOrInsertComputed(names!, () => new Map<string, DirectoryStation[]>())
      .getOrInsertComputed(name, () => [])
      .push(station);
  });
  return areas.map((area) => {
    const byName = found.get(wanted.get(area.countryCode)!);
    return {
      area,
      stations: area.broadcasters.map((names) => names.flatMap((name) => byName?.get(name) ?? [])),
    };
  });
}

const namesOfAreas = new WeakMap<readonly BroadcastArea[], Map<string, Set<string>>>();

/** The areas that come with the program stay the same from one snapshot to the next. */
function namesByCountry(areas: readonly BroadcastArea[]): ReadonlyMap<string, ReadonlySet<string>> {
  return namesOfAreas.getOrInsertComputed(areas, () => {
    const wanted = new Map<string, Set<string>>();
    for (const { countryCode, broadcasters } of areas) {
      const names = wanted.getOrInsertComputed(countryCode, () => new Set());
      for (const name of broadcasters.flat()) names.add(name);
    }
    return wanted;
  });
}

const MIN_NAME_LENGTH = 2;

/** The name with its frequency first: `104.6 RTL` is not the station that calls itself RTL. */
function wantedName(
  names: ReadonlySet<string>,
  { frequency }: DirectoryStation,
  nameKey: string,
): string | undefined {
  if (names.has(nameKey)) return nameKey;
  if (frequency === undefined) return undefined;
  const without = nameKey.replace(frequency.replace('.', ''), '');
  return without.length >= MIN_NAME_LENGTH && names.has(without) ? without : undefined;
}

/** For stations that have their ranks. */
export function heardAreas(found: readonly FoundArea[]): HeardAreas {
  const areas = new Map<string, HeardArea[]>();
  for (const { area, stations } of found) {
    const pairs = stations.flatMap((its, place) => its.map(({ rank }) => ({ rank, place })));
    if (pairs.length === 0) continue;
    const { around, countryCode } = area;
    const heard = {
      around: around && {
        position: positionOf(around.point),
        reach: squaredReach(around.km),
      },
      ranks: Int32Array.from(pairs, ({ rank }) => rank),
      places: Int32Array.from(pairs, ({ place }) => place),
    };
    areas.getOrInsert(countryCode, []).push(heard);
  }
  return areas;
}
