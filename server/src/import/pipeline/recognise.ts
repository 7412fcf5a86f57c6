import { domainOf } from '../../core/cleaning/clean-homepage.ts';
import { distanceKm } from '../../lib/geo.ts';
import type { ResolvedRecord } from './clean-record.ts';
import type { StationDraft, StreamDraft } from './drafts.ts';
import { areMirrors, haveSameEnd } from './mirrors.ts';
import { fitsAddress, fitsHomepage, isComparable, shareWord, spellsOut } from './name-evidence.ts';

/** Two stations of one name further apart than a transmitter reaches are different stations. */
const SAME_PLACE_KM = 100;
/** Shorter names ("1", "FM") prove nothing; only a shared homepage can join those. */
const MIN_DISTINCT_NAME_LENGTH = 3;
/**
 * A stream has a few addresses that lead to it. A target of more is what a network plays to listeners it blocks, or
 * what a host plays for stations that are gone.
 */
const MAX_REDIRECTING_TO_ONE = 2;
/** Of more stations of one name, or streams of one station, the first ones tell; a list of spam has thousands. */
const MAX_NAMESAKES = 100;
const MAX_COMPARED_STREAMS = 20;

/**
 * What joined a record to its station. Two witnesses each, except for `address`: one address is one stream, so a record
 * that only shares the address belongs there too, but nothing else that it says counts.
 */
export type Witness =
  | 'first'
  | 'address and name'
  | 'address and homepage'
  | 'address'
  | 'redirect and name'
  | 'redirect and homepage'
  | 'redirect'
  | 'name and homepage'
  | 'name and mirror'
  | 'name and own host'
  | 'name and address text'
  | 'name in another script';

interface Recognised {
  station: StationDraft;
  witness: Witness;
}

/** The stations and streams that a record of the batch may match, including those the batch itself creates. */
export class Known {
  readonly #byAddress = new Map<string, StreamDraft>();
  /** Streams whose addresses redirect, by their target. */
  readonly #byResolved = new Map<string, StreamDraft[]>();
  readonly #byName = new Map<string, StationDraft[]>();
  readonly #streams = new Map<StationDraft, StreamDraft[]>();

  addStation(station: StationDraft): void {
    addTo(this.#byName, station.nameKey, station);
  }

  /** A station that its records now call otherwise is found by its new name. */
  renameStation(station: StationDraft, before: string): void {
    const namesakes = this.#byName.get(before) ?? [];
    this.#byName.set(
      before,
      namesakes.filter((other) => other !== station),
    );
    this.addStation(station);
  }

  addStream(stream: StreamDraft): void {
    this.#byAddress.set(stream.addressKey, stream);
    addTo(this.#streams, stream.station, stream);
    if (stream.resolvedKey !== null) addTo(this.#byResolved, stream.resolvedKey, stream);
  }

  findStream(addressKey: string): StreamDraft | undefined {
    return this.#byAddress.get(addressKey);
  }

  /** The station that a record belongs to, and why: by stream address, else by name and a second witness. */
  findStation(record: ResolvedRecord): Recognised | undefined {
    const found = this.#atAddress(record) ?? this.#behindRedirect(record) ?? this.#namesake(record);
    return found && { ...found, station: found.station.mergedInto ?? found.station };
  }

  #atAddress(record: ResolvedRecord): Recognised | undefined {
    const station = this.#byAddress.get(record.clean.stream.addressKey)?.station;
    if (!station) return undefined;
    const second = secondWitness(station, record);
    return { station, witness: second ? `address and ${second}` : 'address' };
  }

  #behindRedirect(record: ResolvedRecord): Recognised | undefined {
    const { addressKey, resolvedKey } = record.clean.stream;
    const here = this.#byResolved.get(addressKey) ?? [];
    const leading = resolvedKey === undefined ? [] : (this.#byResolved.get(resolvedKey) ?? []);
    const there = resolvedKey === undefined ? undefined : this.#byAddress.get(resolvedKey);
    const known = there ? [...here, there, ...leading] : [...here, ...leading];
    for (const { station } of known) {
      const second = secondWitness(station, record);
      if (second) return { station, witness: `redirect and ${second}` };
    }
    if (Math.max(here.length, leading.length) > MAX_REDIRECTING_TO_ONE) return undefined;
    const [stream] = there ? [...here, there] : here;
    // A shared target alone joins nobody who is known by more: it may be the message for listeners abroad.
    return stream && !isProven(record) ? { station: stream.station, witness: 'redirect' } : undefined;
  }

  #namesake(record: ResolvedRecord): Recognised | undefined {
    const namesakes = this.#byName.get(record.clean.nameKey) ?? [];
    const host = record.clean.homepageHost;
    const sameHost = namesakes.find(
      (station) => isSameHomepage(station, record) && isHeardThere(station, record),
    );
    if (host !== undefined && sameHost) return { station: sameHost, witness: 'name and homepage' };
    for (const station of namesakes.slice(0, MAX_NAMESAKES)) {
      const witness = this.#witnessBesideName(station, record);
      if (witness) return { station, witness };
    }
    return undefined;
  }

  #witnessBesideName(station: StationDraft, record: ResolvedRecord): Witness | undefined {
    const { name, nameKey, stream } = record.clean;
    // The streams of one that an operator merged are those of the other.
    const playing = this.#streams.get(station.mergedInto ?? station) ?? [];
    const streams = playing.slice(0, MAX_COMPARED_STREAMS);
    if (nameKey.length < MIN_DISTINCT_NAME_LENGTH || isOtherHomepage(station, record)) return undefined;
    if (streams.some(({ address }) => areMirrors(address, stream.address))) return 'name and mirror';
    if (
      mayShareCountry(station, record) &&
      fitsAddress(name, stream.address) &&
      isPlayedByOwner(station, streams, stream.address)
    )
      return 'name and own host';
    if (record.countryId === null || record.countryId !== station.countryId) return undefined;
    if (isFar(station, record)) return undefined;
    if (streams.some(({ address }) => haveSameEnd(address, stream.address))) return 'name and mirror';
    if (!isComparable(name) && !/[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(name))
      return 'name in another script';
    const { homepageHost: page } = record.clean;
    if (!spellsOut(stream.address, name) && !(page !== undefined && fitsHomepage(name, page)))
      return undefined;
    const isProvenStation =
      (station.homepageHost !== null && fitsHomepage(station.name, station.homepageHost)) ||
      streams.some(({ address }) => spellsOut(address, station.name));
    return isProvenStation ? 'name and address text' : undefined;
  }
}

function addTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}

/** Whether more than the address says that they are one: the homepage, or a word of the name. */
function secondWitness(station: StationDraft, { clean }: ResolvedRecord): 'name' | 'homepage' | undefined {
  if (clean.nameKey === station.nameKey || shareWord(clean.name, station.name)) return 'name';
  return clean.homepageHost !== undefined && clean.homepageHost === station.homepageHost
    ? 'homepage'
    : undefined;
}

/** Whether a record's own address or homepage speaks for its name. */
export const isProven = ({ clean: { name, homepageHost, stream } }: ResolvedRecord): boolean =>
  fitsAddress(name, stream.address) || (homepageHost !== undefined && fitsHomepage(name, homepageHost));

const hostOf = (address: string): string => URL.parse(address)?.hostname ?? '';

const isSameHomepage = (station: StationDraft, { clean }: ResolvedRecord): boolean =>
  station.homepageHost !== null && station.homepageHost === clean.homepageHost;

/** In the same country, or from the homepage’s own host: such a page speaks for its streams everywhere. */
const isHeardThere = (station: StationDraft, record: ResolvedRecord): boolean =>
  mayShareCountry(station, record) ||
  domainOf(hostOf(record.clean.stream.address)) === domainOf(record.clean.homepageHost ?? '');

/** Whether an address is of a host that is named like the station, and that plays the station already. */
function isPlayedByOwner(station: StationDraft, streams: readonly StreamDraft[], address: string): boolean {
  const domain = domainOf(hostOf(address));
  if (station.homepageHost !== null && domainOf(station.homepageHost) === domain) return true;
  return (
    fitsHomepage(station.name, domain) &&
    streams.some(
      (stream) => domainOf(hostOf(stream.address)) === domain && fitsAddress(station.name, stream.address),
    )
  );
}

const isOtherHomepage = (station: StationDraft, { clean }: ResolvedRecord): boolean =>
  station.homepageHost !== null &&
  clean.homepageHost !== undefined &&
  domainOf(station.homepageHost) !== domainOf(clean.homepageHost);

const mayShareCountry = (station: StationDraft, record: ResolvedRecord): boolean =>
  station.countryId === null || record.countryId === null || station.countryId === record.countryId;

const isFar = (station: StationDraft, record: ResolvedRecord): boolean =>
  record.coordinate !== null &&
  station.coordinate !== null &&
  distanceKm(record.coordinate, station.coordinate) > SAME_PLACE_KM;
