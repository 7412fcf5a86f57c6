import { foldText } from '../../lib/fold-text.ts';
import { guideId } from '../../lib/guide-id.ts';
import { commonName } from './common-name.ts';
import type { Network } from './network.ts';

/** What is known of a station here. */
export interface AffiliatedStation {
  id: number;
  name: string;
  /** As `homepageHost` gives it: with a path where many owners share a host. */
  homepageHost: string | null;
  countryCode: string | null;
}

export interface Affiliate {
  name: string;
  homepage: string | undefined;
  toldBy: 'longwave' | 'data' | 'operator';
  stationIds: Set<number>;
}

/** A network and who told of it. */
export interface ToldNetwork {
  network: Network;
  toldBy: 'longwave' | 'operator';
}

export const affiliateKey = (name: string): string => foldText(name) || name.toLowerCase();

/**
 * The networks of all stations: the given ones by their rules, and for the homepages that none of them claims those that
 * the stations' own names tell of. By the key of their names.
 */
export function deriveAffiliates(
  stations: readonly AffiliatedStation[],
  told: readonly ToldNetwork[],
): Map<string, Affiliate> {
  const found = new Map<string, Affiliate>();
  for (const { network, toldBy } of told)
    found.set(affiliateKey(network.name), {
      name: network.name,
      homepage: network.homepage,
      toldBy,
      stationIds: new Set(),
    });
  const rules = new Rules(told.map(({ network }) => network));
  const unclaimed = new Map<string, AffiliatedStation[]>();
  for (const station of stations) {
    const networks = rules.networksOf(station);
    for (const { name } of networks) found.get(affiliateKey(name))?.stationIds.add(station.id);
    const domain = station.homepageHost === null ? undefined : domainOf(station.homepageHost);
    if (networks.length > 0 || domain === undefined) continue;
    const others = unclaimed.get(domain);
    if (others) others.push(station);
    else unclaimed.set(domain, [station]);
  }
  for (const [domain, group] of unclaimed) addCommon(found, domain, group);
  for (const [key, { stationIds, toldBy }] of found)
    if (stationIds.size === 0 && toldBy !== 'operator') found.delete(key);
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
  // Two homepages of one name are two networks more often than one ("Love Radio"): the larger group has the name.
  if (known && (known.toldBy !== 'data' || known.stationIds.size >= group.length)) return;
  found.set(key, {
    name,
    homepage: `https://${domain}/`,
    toldBy: 'data',
    stationIds: new Set(group.map(({ id }) => id)),
  });
}

/** Second levels below which names are given out: `abc.net.au` is a name, `net.au` is none. */
const SECOND_LEVELS = new Set('ac co com edu go gob gov gen in net ne nom or org web'.split(' '));

/** The name that somebody registered: `radio.example.co.uk` -> `example.co.uk`; as it is where a path tells owners apart. */
export function domainOf(host: string): string {
  if (host.includes('/')) return host;
  const labels = host.split('.');
  const isSecondLevel =
    labels.length > 2 && SECOND_LEVELS.has(labels.at(-2) ?? '') && labels.at(-1)?.length === 2;
  return labels.slice(isSecondLevel ? -3 : -2).join('.');
}

/** Networks by what their stations are known by. */
class Rules {
  readonly #byDomain = new Map<string, Network[]>();
  readonly #byFirstWord = new Map<string, [words: string, network: Network][]>();
  readonly #byAnyWord: [words: string, network: Network][] = [];
  readonly #byStation = new Map<string, Network[]>();
  readonly #byKey = new Map<string, Network>();

  constructor(networks: readonly Network[]) {
    for (const network of networks) {
      this.#byKey.set(affiliateKey(network.name), network);
      for (const domain of network.domains ?? []) addTo(this.#byDomain, domain.toLowerCase(), network);
      for (const id of network.stations ?? []) addTo(this.#byStation, id.toLowerCase(), network);
      for (const name of network.names ?? []) {
        const words = foldText(name);
        addTo(this.#byFirstWord, words.split(' ', 1)[0] ?? '', [words, network]);
      }
      for (const word of network.words ?? []) this.#byAnyWord.push([` ${foldText(word)} `, network]);
    }
  }

  /** Each once, those that a network is part of behind it. */
  networksOf(station: AffiliatedStation): Network[] {
    const found = new Set([...this.#ofHomepage(station), ...this.#ofName(station), ...this.#ofId(station)]);
    for (const { within } of found) {
      const around = within === undefined ? undefined : this.#byKey.get(affiliateKey(within));
      if (around) found.add(around);
    }
    return [...found];
  }

  /** Of a host and of all that it is below. */
  #ofHomepage({ homepageHost }: AffiliatedStation): Network[] {
    const labels = homepageHost?.split('/', 1)[0]?.split('.') ?? [];
    return labels.flatMap((_, at) => this.#byDomain.get(labels.slice(at).join('.')) ?? []);
  }

  #ofName({ name, countryCode }: AffiliatedStation): Network[] {
    const folded = `${foldText(name)} `;
    const isThere = ({ countries }: Network): boolean =>
      countries === undefined || (countryCode !== null && countries.includes(countryCode));
    const begins = this.#byFirstWord.get(folded.split(' ', 1)[0] ?? '') ?? [];
    return [
      ...begins.filter(([words]) => folded.startsWith(`${words} `)),
      ...this.#byAnyWord.filter(([words]) => ` ${folded}`.includes(words)),
    ]
      .map(([, network]) => network)
      .filter(isThere);
  }

  #ofId({ id }: AffiliatedStation): Network[] {
    return this.#byStation.size === 0 ? [] : (this.#byStation.get(guideId('s', id)) ?? []);
  }
}

function addTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
