import { forEachYielding } from '../../../lib/clock.ts';
import { coordinate } from '../../../lib/geo.ts';
import type {
  AffiliateRow,
  GenreRow,
  LanguageRow,
} from '../../../storage/catalog/stations/station-groups.ts';
import { placeName } from '../lookup/in-words.ts';
import type { SnapshotRegionRow } from '../snapshot/queries.ts';
import {
  type DirectoryRegion,
  type DirectoryStation,
  lineageOf,
  linkTree,
  REGION_KINDS,
  type RegionKind,
  type Snapshot,
  type StationGroup,
} from '../snapshot/snapshot.ts';
import type { SnapshotStationDraft } from '../snapshot/station-draft.ts';

type GroupDraft = { -readonly [Key in keyof StationGroup]: StationGroup[Key] };

const NO_RANKS = new Int32Array(0);

const emptyGroup = (id: number, name: string): GroupDraft => ({
  id,
  name,
  stationCount: 0,
  ranks: NO_RANKS,
  playable: 0,
});

/**
 * Gives each group the ranks of its stations. They are added in order of rank, so every list is in order of popularity
 * without sorting. `groupsOf` must name a group at most once per station.
 */
async function groupStations(
  stations: readonly DirectoryStation[],
  playable: Int32Array,
  groupsOf: (station: DirectoryStation) => readonly GroupDraft[],
): Promise<void> {
  const used = new Set<GroupDraft>();
  await forEachYielding(stations, (station, rank) => {
    for (const group of groupsOf(station)) {
      if (group.stationCount++ === 0) used.add(group);
      group.playable |= playable[rank]!;
    }
  });
  for (const group of used) {
    group.ranks = new Int32Array(group.stationCount);
    group.stationCount = 0;
  }
  await forEachYielding(stations, (station, rank) => {
    for (const group of groupsOf(station)) group.ranks[group.stationCount++] = rank;
  });
}

/** Memoizes by key; keys are ids, or arrays of ids that stations share. */
function memoized<Key, Value>(work: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = work(key)));
    return value;
  };
}

interface AffiliateDraft extends GroupDraft {
  homepage: string | undefined;
}

export async function groupByAffiliate(
  rows: readonly AffiliateRow[],
  stations: readonly DirectoryStation[],
  playable: Int32Array,
): Promise<Pick<Snapshot, 'affiliateById'>> {
  const all = new Map(rows.map((row) => [row.id, draftAffiliate(row)]));
  const groupsOf = memoized((ids: readonly number[]) =>
    ids.map((id) => all.get(id)).filter((affiliate) => affiliate !== undefined),
  );
  await groupStations(stations, playable, ({ affiliateIds }) => groupsOf(affiliateIds));
  const used = [...all].filter(([, { stationCount }]) => stationCount > 0);
  return { affiliateById: new Map(used) };
}

const draftAffiliate = ({ id, name, homepage }: AffiliateRow): AffiliateDraft => ({
  ...emptyGroup(id, name),
  homepage: homepage ?? undefined,
});

interface GenreDraft extends GroupDraft {
  slug: string;
  parent: GenreDraft | undefined;
  children: GenreDraft[];
}

/** The genre tree with the stations of each genre; empty genres stay, since a genre may have only shows. */
export async function groupByGenre(
  rows: readonly GenreRow[],
  stations: readonly DirectoryStation[],
  playable: Int32Array,
): Promise<Pick<Snapshot, 'genreById' | 'topGenres'>> {
  const genreById = new Map(rows.map((row) => [row.id, draftGenre(row)]));
  linkTree(rows, genreById);
  const groupsOf = memoized((genreIds: readonly number[]) => withAncestors(genreIds, genreById));
  await groupStations(stations, playable, ({ genreIds }) => groupsOf(genreIds));
  return { genreById, topGenres: [...genreById.values()].filter(({ parent }) => !parent) };
}

const draftGenre = ({ id, name, slug }: GenreRow): GenreDraft => ({
  ...emptyGroup(id, name),
  slug,
  parent: undefined,
  children: [],
});

function withAncestors(ids: readonly number[], genreById: ReadonlyMap<number, GenreDraft>): GenreDraft[] {
  const own = ids.map((id) => genreById.get(id)).filter((genre) => genre !== undefined);
  return [...new Set(own.flatMap(lineageOf))];
}

interface LanguageDraft extends GroupDraft {
  code: string;
}

const collator = new Intl.Collator('en');

export async function groupByLanguage(
  rows: readonly LanguageRow[],
  stations: readonly DirectoryStation[],
  playable: Int32Array,
): Promise<Pick<Snapshot, 'languageById' | 'languages'>> {
  const all = new Map(rows.map((row) => [row.id, draftLanguage(row)]));
  const groupsOf = memoized((ids: readonly number[]) =>
    ids.map((id) => all.get(id)).filter((language) => language !== undefined),
  );
  await groupStations(stations, playable, ({ languageIds }) => groupsOf(languageIds));
  const languages = [...all.values()].filter(({ stationCount }) => stationCount > 0);
  languages.sort((a, b) => collator.compare(a.name, b.name) || a.id - b.id);
  return { languages, languageById: all };
}

const draftLanguage = ({ id, name, code }: LanguageRow): LanguageDraft => ({ ...emptyGroup(id, name), code });

interface RegionDraft extends GroupDraft {
  kind: RegionKind;
  code: string;
  coordinate: DirectoryRegion['coordinate'];
  parent: RegionDraft | undefined;
  children: RegionDraft[];
}

type RegionTree = ReadonlyMap<number, RegionDraft>;

export async function regionTree(rows: readonly SnapshotRegionRow[]): Promise<RegionTree> {
  const regions = new Map<number, RegionDraft>();
  await forEachYielding(rows, (row) => void regions.set(row.id, draftRegion(row)));
  linkTree(rows, regions);
  await forEachYielding([...regions.values()], ({ children }) => {
    children.sort((a, b) => collator.compare(a.name, b.name) || a.id - b.id);
  });
  return regions;
}

/** Gives stations the name of their place, formatted once per region. */
export async function namePlaces(
  drafts: readonly SnapshotStationDraft[],
  regions: RegionTree,
): Promise<void> {
  const nameOf = memoized((region: RegionDraft) => placeName(region));
  await forEachYielding(drafts, ({ station }) => {
    const region = regions.get(station.regionId ?? Number.NaN);
    if (region) station.placeName = nameOf(region);
  });
}

export async function groupByRegion(
  regions: RegionTree,
  stations: readonly DirectoryStation[],
  playable: Int32Array,
): Promise<Pick<Snapshot, 'regionById'>> {
  const groupsOf = memoized((id: number | undefined) => {
    const region = regions.get(id ?? Number.NaN);
    return region ? [...new Set(lineageOf(region))] : [];
  });
  await groupStations(stations, playable, ({ regionId }) => groupsOf(regionId));
  return { regionById: regions };
}

const draftRegion = (row: SnapshotRegionRow): RegionDraft => ({
  ...emptyGroup(row.id, row.name),
  kind: REGION_KINDS.find((kind) => kind === row.kind) ?? 'city',
  code: row.code,
  coordinate: coordinate(row.latitude ?? Number.NaN, row.longitude ?? Number.NaN),
  parent: undefined,
  children: [],
});
