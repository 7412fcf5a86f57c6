import { distanceKm } from '../lib/geo.ts';
import type { SettledRecord } from './settled-record.ts';
import type { StationDraft } from './station-draft.ts';
import type { StreamDraft } from './stream-draft.ts';

/** Two stations of one name further apart than a transmitter reaches are two stations. */
const SAME_PLACE_KM = 100;
/** Shorter names ("1", "FM") say nothing; only a shared homepage can join those. */
const SHORTEST_TELLING_NAME = 3;
/** Shorter words stand inside too many names by chance. */
const SHORTEST_TELLING_PART = 4;
/**
 * A stream has a few addresses that lead to it. Where more lead to one, it is what a network plays to all who may not
 * listen, or what a host plays for stations that are gone.
 */
const MOST_LEADING_TO_ONE = 2;

/** The stations and streams that a record of the batch may turn out to be, those the batch itself founds included. */
export class Known {
  readonly #byAddress = new Map<string, StreamDraft>();
  /** The streams whose addresses lead somewhere, by where that is. */
  readonly #byResolved = new Map<string, StreamDraft[]>();
  readonly #byName = new Map<string, StationDraft[]>();

  addStation(station: StationDraft): void {
    const namesakes = this.#byName.get(station.nameKey);
    if (namesakes) namesakes.push(station);
    else this.#byName.set(station.nameKey, [station]);
  }

  addStream(stream: StreamDraft): void {
    this.#byAddress.set(stream.addressKey, stream);
    if (stream.resolvedKey === null) return;
    const others = this.#byResolved.get(stream.resolvedKey);
    if (others) others.push(stream);
    else this.#byResolved.set(stream.resolvedKey, [stream]);
  }

  findStream(addressKey: string): StreamDraft | undefined {
    return this.#byAddress.get(addressKey);
  }

  /** The station that a record belongs to: by where it plays, else by name, place and homepage. */
  findStation(record: SettledRecord): StationDraft | undefined {
    return this.#byAddressOf(record)?.station ?? this.#namesake(record);
  }

  #byAddressOf(record: SettledRecord): StreamDraft | undefined {
    const { addressKey, resolvedKey } = record.clean.stream;
    return (
      this.#byAddress.get(addressKey) ??
      this.#leadingTo(addressKey, record) ??
      (resolvedKey === undefined ? undefined : this.#ledTo(resolvedKey, record))
    );
  }

  /** The stream that was seen to lead to where a record plays. */
  #leadingTo(addressKey: string, record: SettledRecord): StreamDraft | undefined {
    const leading = this.#byResolved.get(addressKey) ?? [];
    return leading.find(({ station }) => agree(station, record)) ?? theOnlyOne(leading, leading, record);
  }

  /**
   * The stream that a record's address leads to. That two addresses lead to one place joins nobody by itself: it may be
   * the page for whoever listens from abroad, the same for all stations of a network.
   */
  #ledTo(resolvedKey: string, record: SettledRecord): StreamDraft | undefined {
    const leading = this.#byResolved.get(resolvedKey) ?? [];
    const there = this.#byAddress.get(resolvedKey);
    const known = there ? [there, ...leading] : leading;
    return (
      known.find(({ station }) => agree(station, record)) ?? theOnlyOne(there ? [there] : [], leading, record)
    );
  }

  #namesake(record: SettledRecord): StationDraft | undefined {
    const namesakes = this.#byName.get(record.clean.nameKey) ?? [];
    const host = record.clean.homepageHost;
    const sameHost =
      host === undefined ? undefined : namesakes.find((station) => station.homepageHost === host);
    if (sameHost && mayShareCountry(sameHost, record)) return sameHost;
    return namesakes.find((station) => isSameStation(station, record));
  }
}

/** What plays at an address is who leads there, as long as few do and nothing speaks against it. */
function theOnlyOne(
  candidates: readonly StreamDraft[],
  leading: readonly StreamDraft[],
  record: SettledRecord,
): StreamDraft | undefined {
  if (leading.length > MOST_LEADING_TO_ONE) return undefined;
  return candidates.find(
    ({ station }) => mayShareCountry(station, record) || mayShareHomepage(station, record),
  );
}

/** Whether something beside their addresses says that they are one: the name, a part of it, or the homepage. */
function agree(station: StationDraft, { clean }: SettledRecord): boolean {
  if (clean.homepageHost !== undefined && clean.homepageHost === station.homepageHost) return true;
  if (clean.nameKey === station.nameKey) return true;
  const [short = '', long = ''] = [clean.nameKey, station.nameKey].toSorted((a, b) => a.length - b.length);
  return short.length >= SHORTEST_TELLING_PART && long.includes(short);
}

const mayShareHomepage = (station: StationDraft, { clean }: SettledRecord): boolean =>
  station.homepageHost === null ||
  clean.homepageHost === undefined ||
  station.homepageHost === clean.homepageHost;

const mayShareCountry = (station: StationDraft, record: SettledRecord): boolean =>
  station.countryId === null || record.countryId === null || station.countryId === record.countryId;

/** Same name in the same country, and nothing that speaks against it: no other homepage, no other end of the country. */
export function isSameStation(station: StationDraft, record: SettledRecord): boolean {
  if (record.clean.nameKey.length < SHORTEST_TELLING_NAME) return false;
  if (record.countryId === null || record.countryId !== station.countryId) return false;
  const host = record.clean.homepageHost;
  if (host !== undefined && station.homepageHost !== null && host !== station.homepageHost) return false;
  if (record.coordinate === null || station.coordinate === null) return true;
  return distanceKm(record.coordinate, station.coordinate) <= SAME_PLACE_KM;
}
