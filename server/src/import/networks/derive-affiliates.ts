import { domainOf } from '../../core/cleaning/clean-homepage.ts';
import { guideId } from '../../lib/guide-id.ts';
import { foldText } from '../../lib/search-words.ts';
import { commonName } from './common-name.ts';
import type { BroadcastNetwork } from './network.ts';

/** The facts about a station that are used here. */
export interface AffiliatedStation {
  id: number;
  name: string;
  /** From `homepageHost`: with a path where many owners share a host. */
  homepageHost: string | null;
  countryCode: string | null;
}

export interface Affiliate {
  name: string;
  homepage: string | undefined;
  source: 'longwave' | 'data' | 'operator';
  stationIds: Set<number>;
}

/** A network, and the source that named it. */
export interface SourcedNetwork {
  network: BroadcastNetwork;
  source: 'longwave' | 'operator';
}

export const affiliateKey = (name: string): string => foldText(name) || name.toLowerCase();

/**
 * The networks of all stations, by the key of their names: the given ones by their rules, and for homepages that none
 * of them claims, those that the stations' own names suggest.
 */
export function deriveAffiliates(
  stations: readonly AffiliatedStation[],
  said: readonly SourcedNetwork[],
): Map<string, Affiliate> {
  const found = new Map<string, Affiliate>();
  for (const { network, source } of said)
    found.set(affiliateKey(network.name), {
      name: network.name,
      homepage: network.homepage,
      source,
      stationIds: new Set(),
    });
  const rules = new Rules(said.map(({ network }) => network));
  const unclaimed = new Map<string, AffiliatedStation[]>();
  for (const station of stations) {
    const networks = rules.networksOf(station);
    for (const { name } of networks) found.get(affiliateKey(name))?.stationIds.add(station.id);
    const domain = station.homepageHost === null ? undefined : domainOf(station.homepageHost);
    if (networks.length > 0 || domain === undefined) continue;
    unclaimed.getOrInsertComputed(domain, () => []).push(station);
  }
  for (const [domain, group] of unclaimed) addCommon(found, domain, group);
  for (const [key, { stationIds, source }] of found)
    if (stationIds.size === 0 && source !== 'operator') found.delete(key);
  return found;
}

function addCommon(found: Map<string, Affiliate>, domain: string, group: readonly AffiliatedStation[]): void {
  const name = commonName(
    domain,
    group.map((station) => station.name),
  );
  if (name === undefined) return;
  const key = affiliateKey(name);
  const known = found.get(key);
  // Two homepages with one name are more often two networks than one ("Love Radio"): the larger group gets the name.
  if (known && (known.source !== 'data' || known.stationIds.size >= group.length)) return;
  found.set(key, {
    name,
    homepage: `https://${domain}/`,
    source: 'data',
    stationIds: new Set(group.map(({ id }) => id)),
  });
}

/** Networks, indexed by what identifies their stations. */
class Rules {
  readonly #byDomain = new Map<string, BroadcastNetwork[]>();
  readonly #byFirstWord = new Map<string, [words: string, network: BroadcastNetwork][]>();
  readonly #byAnyWord: [words: string, network: BroadcastNetwork][] = [];
  readonly #byStation = new Map<string, BroadcastNetwork[]>();
  readonly #byKey = new Map<string, BroadcastNetwork>();

  constructor(networks: readonly BroadcastNetwork[]) {
    for (const network of networks) {
      this.#byKey.set(affiliateKey(network.name), network);
      for (const domain of network.domains ?? [])
        this.#byDomain.getOrInsert(domain.toLowerCase(), []).push(network);
      for (const id of network.stations ?? [])
        this.#byStation.getOrInsert(id.toLowerCase(), []).push(network);
      for (const name of network.names ?? []) {
        const words = foldText(name);
        this.#byFirstWord.getOrInsert(words.split(' ', 1)[0] ?? '', []).push([words, network]);
      }
      for (const word of network.words ?? []) this.#byAnyWord.push([` ${foldText(word)} `, network]);
    }
  }

  /** Each once, followed by the networks that it is part of. */
  networksOf(station: AffiliatedStation): BroadcastNetwork[] {
    const found = new Set([...this.#ofHomepage(station), ...this.#ofName(station), ...this.#ofId(station)]);
    for (const { within } of found) {
      const around = within === undefined ? undefined : this.#byKey.get(affiliateKey(within));
      if (around) found.add(around);
    }
    return [...found];
  }

  /** For a host and all of its parent domains. */
  #ofHomepage({ homepageHost }: AffiliatedStation): BroadcastNetwork[] {
    const labels = homepageHost?.split('/', 1)[0]?.split('.') ?? [];
    return labels.flatMap((_, at) => this.#byDomain.get(labels.slice(at).join('.')) ?? []);
  }

  #ofName({ name, countryCode }: AffiliatedStation): BroadcastNetwork[] {
    const folded = `${foldText(name)} `;
    const isThere = ({ countries }: BroadcastNetwork): boolean =>
      countries === undefined || (countryCode !== null && countries.includes(countryCode));
    const begins = this.#byFirstWord.get(folded.split(' ', 1)[0] ?? '') ?? [];
    return [
      ...begins.filter(([words]) => folded.startsWith(`${words} `)),
      ...this.#byAnyWord.filter(([words]) => ` ${folded}`.includes(words)),
    ]
      .map(([, network]) => network)
      .filter(isThere);
  }

  #ofId({ id }: AffiliatedStation): BroadcastNetwork[] {
    return this.#byStation.size === 0 ? [] : (this.#byStation.get(guideId('s', id)) ?? []);
  }
}
