import { coordinate } from '../lib/geo.ts';
import { type GroupDraft, emptyGroup, groupStations, remembered } from './group-stations.ts';
import { inTurns } from './in-turns.ts';
import { placeName } from './place-name.ts';
import type { RegionRow } from './queries.ts';
import { REGION_KINDS } from './snapshot.ts';
import type { DirectoryRegion, DirectoryStation, RegionKind, Snapshot } from './snapshot.ts';
import type { StationDraft } from './station-draft.ts';
import { lineageOf, linkTree } from './tree.ts';

interface RegionDraft extends GroupDraft {
  kind: RegionKind;
  code: string;
  coordinate: DirectoryRegion['coordinate'];
  parent: RegionDraft | undefined;
  children: RegionDraft[];
}

export type RegionTree = ReadonlyMap<number, RegionDraft>;

const byName = new Intl.Collator('en');

export async function regionTree(rows: readonly RegionRow[]): Promise<RegionTree> {
  const regions = new Map<number, RegionDraft>();
  await inTurns(rows, (row) => void regions.set(row.id, draftRegion(row)));
  linkTree(rows, regions);
  await inTurns([...regions.values()], ({ children }) => {
    children.sort((a, b) => byName.compare(a.name, b.name) || a.id - b.id);
  });
  return regions;
}

/** Gives stations the name of their place, made once for all stations of a region. */
export async function namePlaces(drafts: readonly StationDraft[], regions: RegionTree): Promise<void> {
  const nameOf = remembered((region: RegionDraft) => placeName(region));
  await inTurns(drafts, ({ station }) => {
    const region = regions.get(station.regionId ?? Number.NaN);
    if (region) station.placeName = nameOf(region);
  });
}

export async function groupByRegion(
  regions: RegionTree,
  stations: readonly DirectoryStation[],
  playable: Int32Array,
): Promise<Pick<Snapshot, 'regionById'>> {
  const groupsOf = remembered((id: number | undefined) => {
    const region = regions.get(id ?? Number.NaN);
    return region ? [...new Set(lineageOf(region))] : [];
  });
  await groupStations(stations, playable, ({ regionId }) => groupsOf(regionId));
  return { regionById: regions };
}

const draftRegion = (row: RegionRow): RegionDraft => ({
  ...emptyGroup(row.id, row.name),
  kind: REGION_KINDS.find((kind) => kind === row.kind) ?? 'city',
  code: row.code,
  coordinate: coordinate(row.latitude ?? Number.NaN, row.longitude ?? Number.NaN),
  parent: undefined,
  children: [],
});
