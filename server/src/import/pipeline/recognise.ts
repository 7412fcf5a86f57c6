import { doubtfulKey } from '../../core/cleaning/clean-name.ts';
import { distanceKm } from '../../lib/geo.ts';
import type { ResolvedRecord } from './clean-record.ts';
import type { StationDraft, StreamDraft } from './drafts.ts';
import { mirrorKey } from './mirror-key.ts';
import { isDistinctive } from './name-evidence.ts';
import { ANNOUNCED_SOURCE } from './record.ts';

/** Two stations of one name further apart than a transmitter reaches are different stations. */
const SAME_PLACE_KM = 100;
/** Shorter names ("1", "FM") prove nothing; only a shared homepage can join those. */
const MIN_DISTINCT_NAME_LENGTH = 3;
/** Shorter words occur in too many names by chance. */
const MIN_DISTINCT_PART_LENGTH = 4;
/**
 * A stream has a few addresses that lead to it. A target of more is what a network plays to listeners it blocks, or
 * what a host plays for stations that are gone.
 */
const MAX_REDIRECTING_TO_ONE = 2;

/** What joined a record to its station, as `longwave why-merged` explains it. */
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
  | 'name and country';

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
  readonly #streamsOf = new Map<StationDraft, Set<StreamDraft>>();

  addStation(station: StationDraft): void {
    const namesakes = this.#byName.get(station.nameKey);
    if (namesakes) namesakes.push(station);
    else this.#byName.set(station.nameKey, [station]);
  }

  addStream(stream: StreamDraft): void {
    this.#byAddress.set(stream.addressKey, stream);
    this.#streamsOf.getOrInsertComputed(stream.station, () => new Set()).add(stream);
    if (stream.resolvedKey === null) return;
    const others = this.#byResolved.get(stream.resolvedKey);
    if (others) others.push(stream);
    else this.#byResolved.set(stream.resolvedKey, [stream]);
  }

  findStream(addressKey: string): StreamDraft | undefined {
    return this.#byAddress.get(addressKey);
  }

  /** Stations that have a record's name, and may be its own only if one of their streams is a mirror of its address. */
  unlikeNamesakes(record: ResolvedRecord): StationDraft[] {
    const namesakes = this.#mirrorable(record);
    if (namesakes.length === 0) return [];
    return record.isDoubtful !== true && this.#namesake(record) ? [] : namesakes;
  }

  /** The station that a record belongs to, and why: by stream address, else by name, place and homepage. */
  findStation(record: ResolvedRecord): Recognised | undefined {
    const found =
      this.#atAddress(record) ??
      this.#behindRedirect(record) ??
      this.#namesake(record) ??
      this.#mirrored(record);
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
    const stream =
      this.#leadingTo(addressKey, record) ??
      (resolvedKey === undefined ? undefined : this.#ledTo(resolvedKey, record));
    if (!stream) return undefined;
    const second = secondWitness(stream.station, record);
    return { station: stream.station, witness: second ? `redirect and ${second}` : 'redirect' };
  }

  /** The stream that was seen to redirect to a record's address. */
  #leadingTo(addressKey: string, record: ResolvedRecord): StreamDraft | undefined {
    const leading = this.#byResolved.get(addressKey) ?? [];
    return leading.find(({ station }) => agree(station, record)) ?? theOnlyOne(leading, leading, record);
  }

  /**
   * The stream that a record's address redirects to. A shared target does not join stations by itself: it may be the
   * message for listeners abroad, the same for all stations of a network.
   */
  #ledTo(resolvedKey: string, record: ResolvedRecord): StreamDraft | undefined {
    const leading = this.#byResolved.get(resolvedKey) ?? [];
    const there = this.#byAddress.get(resolvedKey);
    const known = there ? [there, ...leading] : leading;
    return (
      known.find(({ station }) => agree(station, record)) ?? theOnlyOne(there ? [there] : [], leading, record)
    );
  }

  /** The name of a doubtful record joins it to nothing by itself. */
  #namesake(record: ResolvedRecord): Recognised | undefined {
    if (record.isDoubtful === true) return undefined;
    const namesakes = this.#byName.get(record.clean.nameKey) ?? [];
    const host = record.clean.homepageHost;
    const sameHost =
      host === undefined ? undefined : namesakes.find((station) => station.homepageHost === host);
    if (sameHost && mayShareCountry(sameHost, record))
      return { station: sameHost, witness: 'name and homepage' };
    const station = namesakes.find((other) => isSameStation(other, record));
    return station && { station, witness: 'name and country' };
  }

  /** Those that have the name in the country. Announcements say no country; a server that sends several streams announces each. */
  #mirrorable(record: ResolvedRecord): StationDraft[] {
    const { nameKey } = record.clean;
    const named = this.#byName.get(nameKey) ?? [];
    if (record.source === ANNOUNCED_SOURCE)
      return [...named, ...(this.#byName.get(doubtfulKey(nameKey)) ?? [])];
    return named.filter((station) => shareCountry(station, record));
  }

  /** One that has the name in the country, whatever its homepage and place, and a stream of the same owner and programme. */
  #mirrored(record: ResolvedRecord): Recognised | undefined {
    const namesakes = this.#mirrorable(record);
    const key = namesakes.length === 0 ? undefined : mirrorKey(record.clean.stream.address);
    if (key === undefined || record.clean.nameKey.length < MIN_DISTINCT_NAME_LENGTH) return undefined;
    const station = namesakes.find(
      (other) =>
        this.#streamsOf
          .get(other)
          ?.values()
          .some(({ address }) => mirrorKey(address) === key) === true,
    );
    return station && { station, witness: 'name and mirror' };
  }
}

/** The stream that leads to an address, if few do and nothing contradicts it. */
function theOnlyOne(
  candidates: readonly StreamDraft[],
  leading: readonly StreamDraft[],
  record: ResolvedRecord,
): StreamDraft | undefined {
  if (leading.length > MAX_REDIRECTING_TO_ONE) return undefined;
  return candidates.find(
    ({ station }) => mayShareCountry(station, record) || mayShareHomepage(station, record),
  );
}

/** Whether more than their addresses says that they are one: the name, a part of it, or the homepage. */
const agree = (station: StationDraft, record: ResolvedRecord): boolean =>
  secondWitness(station, record) !== undefined;

function secondWitness(station: StationDraft, { clean }: ResolvedRecord): 'name' | 'homepage' | undefined {
  if (clean.nameKey === station.nameKey) return 'name';
  const [short = '', long = ''] = [clean.nameKey, station.nameKey].toSorted((a, b) => a.length - b.length);
  if (short.length >= MIN_DISTINCT_PART_LENGTH && long.includes(short)) return 'name';
  return clean.homepageHost !== undefined && clean.homepageHost === station.homepageHost
    ? 'homepage'
    : undefined;
}

const mayShareHomepage = (station: StationDraft, { clean }: ResolvedRecord): boolean =>
  station.homepageHost === null ||
  clean.homepageHost === undefined ||
  station.homepageHost === clean.homepageHost;

const shareCountry = (station: StationDraft, { countryId }: ResolvedRecord): boolean =>
  countryId !== null && station.countryId === countryId;

const mayShareCountry = (station: StationDraft, record: ResolvedRecord): boolean =>
  station.countryId === null || record.countryId === null || station.countryId === record.countryId;

/** Same name in the same country, and nothing that contradicts it: no other homepage, no other end of the country. */
function isSameStation(station: StationDraft, record: ResolvedRecord): boolean {
  if (record.clean.nameKey.length < MIN_DISTINCT_NAME_LENGTH) return false;
  if (record.countryId === null || record.countryId !== station.countryId) return false;
  if (!isDistinctive(record.clean.name) || !isDistinctive(station.name)) return false;
  const host = record.clean.homepageHost;
  if (host !== undefined && station.homepageHost !== null && host !== station.homepageHost) return false;
  if (record.coordinate === null || station.coordinate === null) return true;
  return distanceKm(record.coordinate, station.coordinate) <= SAME_PLACE_KM;
}
