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
  const wanted = await wantedKeys(areas);
  const found = new Map<string, DirectoryStation[]>();
  await forEachYielding(drafts, ({ station, nameKey }) => {
    const key = namesOf(station, nameKey)
      .map((name) => keyIn(station, name))
      .find((name) => wanted.has(name));
    if (key === undefined) return;
    const namesakes = found.get(key);
    if (namesakes) namesakes.push(station);
    else found.set(key, [station]);
  });
  return areas.map((area) => ({
    area,
    stations: area.broadcasters.map((keys) => keys.flatMap((key) => found.get(keyIn(area, key)) ?? [])),
  }));
}

const keysOfAreas = new WeakMap<readonly BroadcastArea[], Set<string>>();

/** The areas that come with the program stay the same from one snapshot to the next. */
async function wantedKeys(areas: readonly BroadcastArea[]): Promise<ReadonlySet<string>> {
  const known = keysOfAreas.get(areas);
  if (known) return known;
  const keys = new Set<string>();
  await forEachYielding(areas, (area) => {
    for (const key of area.broadcasters.flat()) keys.add(keyIn(area, key));
  });
  keysOfAreas.set(areas, keys);
  return keys;
}

const keyIn = ({ countryCode }: { countryCode: string | undefined }, key: string): string =>
  `${countryCode ?? ''} ${key}`;

const MIN_NAME_LENGTH = 2;

/** The name with its frequency first: `104.6 RTL` is not the station that calls itself RTL. */
function namesOf({ frequency }: DirectoryStation, nameKey: string): string[] {
  if (frequency === undefined) return [nameKey];
  const without = nameKey.replace(frequency.replace('.', ''), '');
  return without.length < MIN_NAME_LENGTH ? [nameKey] : [nameKey, without];
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
