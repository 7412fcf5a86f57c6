import { forEachYielding } from '../../../lib/clock.ts';
import { foldText } from '../../../lib/search-words.ts';
import type { FoundArea } from '../local/find-broadcasters.ts';
import type { DirectoryAffiliate, DirectoryRegion, Families } from '../snapshot/snapshot.ts';
import type { SnapshotStationDraft } from '../snapshot/station-draft.ts';
import { joinLocalBroadcasters, recordsOfOne } from './known-names.ts';
import { Namesakes, placeWords } from './namesakes.ts';

/**
 * A family is what a listener takes for one station:
 *
 * - the channels of a network that goes by one name (SomaFM Groove Salad, Radio Paradise Mellow Mix, NRJ Hits): those of
 *   its stations whose names begin with the name of the network, if most do;
 * - a broadcaster that people know and its side channels of the same network (Rock Antenne, Rock Antenne Grunge);
 * - the records of a broadcaster that people know, under the names that `local/broadcasters` has for it;
 * - copies of a station that the import could not prove to be one: a name in a country, and nothing that tells them apart.
 *
 * A broadcaster that people know by its own name is a station and never somebody's channel: BBC Radio 4, NDR 2, Bayern 3
 * and France Inter are as many stations, and a network that has several such has no family at all; nor do programmes
 * that go by numbers or frequencies (RTHK Radio 1, 2 and 3). A listener asks for them by name, and lists show each.
 *
 * A list that would repeat a family shows one station of it: the most popular one, near home the one that is heard there,
 * in a search the one that fits best, so that who types the name of a channel gets that channel. The others are one link
 * further, at the network. What is heard near home and charts also take the local editions of a station for one (Radio
 * Marca, Radio Marca Madrid); a search shows them, since somebody may look for the other town.
 */

/** The share of a network's stations whose names have to begin with its name. */
const SHARE = 0.6;

/** Drafts are in order of rank. */
export async function buildFamilies(
  drafts: readonly SnapshotStationDraft[],
  networks: Iterable<DirectoryAffiliate>,
  broadcasters: readonly FoundArea[],
  regions: Iterable<DirectoryRegion>,
): Promise<Families> {
  const joined = new JoinedRanks(drafts.length);
  const known = new Set(broadcasters.flatMap(({ stations }) => stations.flat().map(({ rank }) => rank)));
  const places = await placeWords(regions);
  const namesakes = new Namesakes(drafts);
  await namesakes.join((a, b) => joined.join([a, b]));
  await forEachYielding(broadcasters, ({ area, stations }) => {
    for (const its of stations)
      for (const records of area.around ? recordsOfOne(its, places) : [its])
        joined.join(records.map(({ rank }) => rank));
  });
  // A copy of a known broadcaster is no channel either: it would join two broadcasters.
  const mains = joined.mains();
  const knownMains = new Set([...known].map((rank) => mains[rank]!));
  const ofKnown = (rank: number): number | undefined =>
    knownMains.has(mains[rank]!) ? mains[rank] : undefined;
  const families: { network: DirectoryAffiliate; channels: readonly number[] }[] = [];
  await forEachYielding([...networks], (network) => {
    const side = sideChannels(network, drafts, ofKnown);
    const ofNetwork = channelsOf(network, drafts, ofKnown);
    const ofOthers = new Set(side.filter(([main]) => !ofNetwork.includes(main!)).flat());
    for (const channels of [ofNetwork.filter((rank) => !ofOthers.has(rank)), ...side]) {
      if (channels.length < 2) continue;
      joined.join(channels);
      families.push({ network, channels });
    }
  });
  const familyOf = joined.mains();
  const networkOf = new Map<number, DirectoryAffiliate>();
  // The network with the most of its channels leads to all of them; of several that have them, the one with the fewest others.
  const lastBest = families.toSorted(
    (a, b) => a.channels.length - b.channels.length || b.network.stationCount - a.network.stationCount,
  );
  for (const { network, channels } of lastBest) networkOf.set(familyOf[channels[0]!]!, network);
  await namesakes.joinEditions(places, (a, b) => joined.join([a, b]));
  await joinLocalBroadcasters(broadcasters, (a, b) => joined.join([a, b]));
  return {
    familyOf,
    membersOf: membersOf(familyOf),
    networkOf,
    editionOf: joined.mains(),
    broadcasters: known,
  };
}

/** The main station of the known broadcaster that a station is of; undefined for all others. */
type OfKnown = (rank: number) => number | undefined;

/** Which stations are one, as a forest: each points to a more popular one of its family. */
class JoinedRanks {
  readonly #towards: Int32Array;

  constructor(count: number) {
    this.#towards = new Int32Array(count).map((_none, rank) => rank);
  }

  join(ranks: readonly number[]): void {
    const mains = ranks.map((rank) => this.#mainOf(rank));
    const main = Math.min(...mains);
    for (const other of mains) this.#towards[other] = main;
  }

  /** By rank: the most popular of the family. */
  mains(): Int32Array {
    return this.#towards.map((_towards, rank) => this.#mainOf(rank));
  }

  #mainOf(rank: number): number {
    let main = rank;
    while (this.#towards[main]! !== main) main = this.#towards[main]!;
    return main;
  }
}

function membersOf(familyOf: Int32Array): ReadonlyMap<number, Int32Array> {
  const members = new Map<number, number[]>();
  for (const [rank, main] of familyOf.entries())
    if (rank !== main) members.getOrInsertComputed(main, () => [main]).push(rank);
  return new Map([...members].map(([main, ranks]) => [main, Int32Array.from(ranks)]));
}

/**
 * The channels of a network that goes by one name. A broadcaster that people know by a name of its own is never a mere
 * channel (NDR 2 of NDR), and a network with several such has no family: its other stations are somebody's too.
 */
function channelsOf(
  { name, ranks }: DirectoryAffiliate,
  drafts: readonly SnapshotStationDraft[],
  ofKnown: OfKnown,
): number[] {
  const words = foldText(name);
  const named = [...ranks].filter((rank) =>
    `${foldText(drafts[rank]!.station.name)} `.startsWith(`${words} `),
  );
  if (named.length < SHARE * ranks.length) return [];
  const broadcasters = new Set(named.map(ofKnown).filter((main) => main !== undefined));
  const main = named.filter((rank) => ofKnown(rank) !== undefined && isCalled(drafts[rank]!, words));
  if (broadcasters.size > 1 && main.length === 0) return [];
  const numbered = programmesAmong(named, words, drafts);
  return named.filter((rank) => !numbered.has(rank) && (ofKnown(rank) === undefined || main.includes(rank)));
}

const isCalled = ({ station }: SnapshotStationDraft, words: string): boolean =>
  foldText(station.name.replace(station.frequency ?? '', ' ')) === words || foldText(station.name) === words;

/**
 * The side channels of each broadcaster of a network: its stations whose names begin with the name of the broadcaster, as
 * Rock Antenne Grunge of Rock Antenne and France Musique La Baroque of France Musique.
 */
function sideChannels(
  { ranks }: DirectoryAffiliate,
  drafts: readonly SnapshotStationDraft[],
  ofKnown: OfKnown,
): number[][] {
  const names = new Map([...ranks].map((rank) => [rank, foldText(drafts[rank]!.station.name)]));
  const mains = [...names].filter(([rank]) => ofKnown(rank) !== undefined);
  const channelsOfMain = new Map(mains.map(([main]) => [main, [main]]));
  for (const [rank, name] of names) {
    if (ofKnown(rank) !== undefined) continue;
    // NRK P3 Musikk is of NRK P3, and not of NRK.
    const [main, begin] = mains
      .filter(([, called]) => name.startsWith(`${called} `))
      .reduce((best, other) => (other[1].length > best[1].length ? other : best), [Number.NaN, '']);
    if (!PROGRAMME.test(name.slice(begin.length + 1))) channelsOfMain.get(main)?.push(rank);
  }
  return [...channelsOfMain.values()];
}

/** "Radio 2", "P 3", "95.6", "FM 99.9" behind the name of the network; "80" is a decade. */
const PROGRAMME =
  /^(?:radio |fm |am |p ?|channel |canal |program )?(?:[1-9]|\d{2,3} \d|\d{3,4})(?: fm| am| mhz)?$/;

/** Those that go by a number, if there are several numbers. */
function programmesAmong(
  ranks: readonly number[],
  network: string,
  drafts: readonly SnapshotStationDraft[],
): ReadonlySet<number> {
  const numbers = new Map<number, string>();
  for (const rank of ranks) {
    const rest = foldText(drafts[rank]!.station.name).slice(network.length + 1);
    if (PROGRAMME.test(rest)) numbers.set(rank, rest.replaceAll(/[^\d ]/g, '').trim());
  }
  return new Set(numbers.values()).size > 1 ? new Set(numbers.keys()) : new Set();
}
