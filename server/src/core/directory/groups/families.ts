import { forEachYielding } from '../../../lib/clock.ts';
import { distanceKm } from '../../../lib/geo.ts';
import { foldText } from '../../../lib/search-words.ts';
import type { FoundArea } from '../local/find-broadcasters.ts';
import type { DirectoryAffiliate, Families } from '../snapshot/snapshot.ts';
import type { SnapshotStationDraft } from '../snapshot/station-draft.ts';

/** The share of a network's stations whose names have to begin with its name. */
const SHARE = 0.6;

/** Drafts are in order of rank. */
export async function buildFamilies(
  drafts: readonly SnapshotStationDraft[],
  networks: Iterable<DirectoryAffiliate>,
  broadcasters: readonly FoundArea[],
): Promise<Families> {
  const familyOf = Int32Array.from(drafts.keys());
  const known = new Set(broadcasters.flatMap(({ stations }) => stations.flat().map(({ rank }) => rank)));
  await joinNamesakes(drafts, familyOf);
  for (const { stations } of broadcasters)
    for (const its of stations)
      join(
        familyOf,
        its.map(({ rank }) => rank).toSorted((a, b) => a - b),
      );
  await forEachYielding([...networks], (network) => {
    const channels = channelsOf(network, drafts, known);
    if (channels.length > 1) join(familyOf, channels);
  });
  for (const rank of familyOf.keys()) familyOf[rank] = find(familyOf, rank);
  return { familyOf, broadcasters: known };
}

/**
 * The channels of a network that goes by one name. A broadcaster that people know by a name of its own is never a mere
 * channel (NDR 2 of NDR), and a network with several such has no family: its other stations are somebody's too.
 */
function channelsOf(
  { name, ranks }: DirectoryAffiliate,
  drafts: readonly SnapshotStationDraft[],
  known: ReadonlySet<number>,
): number[] {
  const words = foldText(name);
  const named = [...ranks].filter((rank) =>
    `${foldText(drafts[rank]!.station.name)} `.startsWith(`${words} `),
  );
  if (named.length < SHARE * ranks.length) return [];
  const broadcasters = named.filter((rank) => known.has(rank));
  const main = broadcasters.filter((rank) => isCalled(drafts[rank]!, words));
  if (broadcasters.length > 1 && main.length === 0) return [];
  return named.filter((rank) => !known.has(rank) || main.includes(rank));
}

const isCalled = ({ station }: SnapshotStationDraft, words: string): boolean =>
  foldText(station.name.replace(station.frequency ?? '', ' ')) === words || foldText(station.name) === words;

/** Words that come and go in the records of one station. */
const LOOSE = /^(?:radio|fm)|(?:radio|fm|live|online)$/g;
/** More stations of one name in a country are as many different ones. */
const MAX_NAMESAKES = 20;

/** Joins records of one name and country that nothing tells apart. */
async function joinNamesakes(drafts: readonly SnapshotStationDraft[], familyOf: Int32Array): Promise<void> {
  const firsts = new Map<string, SnapshotStationDraft[]>();
  await forEachYielding(drafts, (draft, rank) => {
    const { station, nameKey } = draft;
    if (station.countryCode === undefined) return;
    const digits = station.frequency?.replace('.', '') ?? '';
    const name = nameKey.replace(digits, '').replaceAll(LOOSE, '') || nameKey;
    const others = firsts.getOrInsert(`${station.countryCode} ${name}`, []);
    const same = others.find((other) => mayBeOne(other, draft));
    if (same) familyOf[rank] = same.station.rank;
    else if (others.length < MAX_NAMESAKES) others.push(draft);
  });
}

/** Two transmitters of one name further apart belong to two stations. */
const SAME_PLACE_KM = 100;

function mayBeOne(a: SnapshotStationDraft, b: SnapshotStationDraft): boolean {
  if (differ(a.domain, b.domain) || differ(a.station.frequency, b.station.frequency)) return false;
  const [here, there] = [a.station.coordinate, b.station.coordinate];
  return !here || !there || distanceKm(here, there) <= SAME_PLACE_KM;
}

const differ = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && a !== b;

/** The most popular of the family. */
function find(familyOf: Int32Array, rank: number): number {
  let root = rank;
  while (familyOf[root]! !== root) root = familyOf[root]!;
  return root;
}

function join(familyOf: Int32Array, ranks: readonly number[]): void {
  const roots = ranks.map((rank) => find(familyOf, rank));
  const main = Math.min(...roots);
  for (const root of roots) familyOf[root] = main;
}
