import { distanceKm } from '../lib/geo.ts';
import type { SettledRecord } from './settled-record.ts';
import type { StationDraft } from './station-draft.ts';
import type { StreamDraft } from './stream-draft.ts';

/** Two stations of one name further apart than a transmitter reaches are two stations. */
const SAME_PLACE_KM = 100;
/** Shorter names ("1", "FM") say nothing; only a shared homepage can join those. */
const SHORTEST_TELLING_NAME = 3;

/** The stations and streams that a record of the batch may turn out to be, those the batch itself founds included. */
export class Known {
  readonly #byAddress = new Map<string, StreamDraft>();
  readonly #byResolved = new Map<string, StreamDraft>();
  readonly #byName = new Map<string, StationDraft[]>();

  addStation(station: StationDraft): void {
    const namesakes = this.#byName.get(station.nameKey);
    if (namesakes) namesakes.push(station);
    else this.#byName.set(station.nameKey, [station]);
  }

  addStream(stream: StreamDraft): void {
    this.#byAddress.set(stream.addressKey, stream);
    if (stream.resolvedKey !== null && !this.#byResolved.has(stream.resolvedKey)) {
      this.#byResolved.set(stream.resolvedKey, stream);
    }
  }

  findStream(addressKey: string): StreamDraft | undefined {
    return this.#byAddress.get(addressKey);
  }

  /** The station that a record belongs to: by where it plays, else by name, place and homepage. */
  findStation(record: SettledRecord): StationDraft | undefined {
    return this.#byAddressOf(record)?.station ?? this.#namesake(record);
  }

  #byAddressOf({ clean: { stream } }: SettledRecord): StreamDraft | undefined {
    const { addressKey, resolvedKey } = stream;
    const direct = this.#byAddress.get(addressKey) ?? this.#byResolved.get(addressKey);
    if (direct || resolvedKey === undefined) return direct;
    return this.#byAddress.get(resolvedKey) ?? this.#byResolved.get(resolvedKey);
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
