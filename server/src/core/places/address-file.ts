import { readFile, stat } from 'node:fs/promises';
import { Reader, type Response } from 'maxmind';
import { type Coordinate, coordinate } from '../../lib/geo.ts';
import type { Log } from '../../lib/log.ts';

/** By the format's definition the metadata section is at the end of the file and no longer than this. */
const MAX_METADATA_LENGTH = 128 * 1024;
const METADATA_MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');

/**
 * One .mmdb file, loaded on first use, since an installation that never looks up an address should not pay for it. If a
 * new file cannot be read, the previous one stays in use.
 */
export class AddressFile {
  readonly #path: string;
  readonly #log: Log;
  #reader: Reader<Response> | undefined;
  /** The state of the file last read, successfully or not; each state is read once. */
  #seen: string | undefined;
  #isWanted = false;
  #readings = 0;
  #reading: Promise<void> | undefined;

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  /** The record of an address; undefined until the file is loaded: a response never waits for it. */
  find(address: string, family: 4 | 6): unknown {
    if (!this.#isWanted) {
      this.#isWanted = true;
      void this.refresh();
    }
    // An IPv4-only tree would match the first 32 bits of an IPv6 address.
    if (!this.#reader || (family === 6 && this.#reader.metadata.ipVersion === 4)) return undefined;
    try {
      return this.#reader.get(address) ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** Increases each time another file is taken into use. */
  get state(): number {
    return this.#readings;
  }

  /** Reloads the file if it changed, or unconditionally when `always`. Never throws. */
  refresh(always = false): Promise<void> {
    if (!this.#isWanted) return Promise.resolve();
    if (always) this.#seen = undefined;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /** Resolves when no read is in progress. */
  async idle(): Promise<void> {
    await this.#reading;
  }

  async #read(): Promise<void> {
    const state = await stateOf(this.#path);
    if (state === this.#seen) return;
    try {
      const bytes = await readFile(this.#path);
      // Still being written: checked again once it stops changing.
      if ((await stateOf(this.#path)) !== state) return;
      this.#reader = openReader(bytes);
      this.#readings += 1;
      const { databaseType, buildEpoch } = this.#reader.metadata;
      this.#log.info(
        { file: this.#path, databaseType, built: buildEpoch },
        'the address database was loaded',
      );
    } catch (error) {
      const stays = this.#reader ? 'the previous one stays in use' : 'callers are not located by address';
      this.#log.warn(
        { err: error, file: this.#path },
        `the address database could not be read, ${stays}; set ADDRESS_DATABASE to a readable .mmdb file, or to none`,
      );
    }
    this.#seen = state;
  }
}

/** Changes whenever the file does, also when another is moved into its place. */
async function stateOf(path: string): Promise<string> {
  const file = await stat(path, { bigint: true }).catch(() => undefined);
  return file ? [file.ino, file.size, file.mtimeNs].join() : 'missing';
}

/** A truncated file lacks its end. Checked here, since the reader would search all of it byte by byte. */
function openReader(bytes: Buffer): Reader<Response> {
  if (!bytes.subarray(-MAX_METADATA_LENGTH).includes(METADATA_MARKER))
    throw new Error('it is not an .mmdb file, or is incomplete');
  const reader = new Reader<Response>(bytes);
  if (reader.metadata.searchTreeSize > bytes.length) throw new Error('it is shorter than its metadata says');
  return reader;
}

/** Where an address is, as far as known. */
export interface AddressPlace {
  /** Unknown in a database of countries. */
  coordinate: Coordinate | undefined;
  /** ISO 3166-1: `IE`. */
  countryCode: string | undefined;
  /** Whether the coordinate is a town's; otherwise it is somewhere in the country or state. */
  precise: boolean;
}

/** A town's coordinate is no better than a state's when the database itself gives a radius above this. */
const TOWN_RADIUS_KM = 200;

/**
 * Reads a record in either of the two known shapes: nested as in MaxMind's and DB-IP's own files (`country.iso_code`,
 * `location.latitude`), or flat as in DB-IP's npm package (`country_code`, `latitude`).
 */
export function readPlace(record: unknown): AddressPlace | undefined {
  const all = fields(record);
  const location = fields(all['location'] ?? record);
  const countryCode = readCountry(all);
  const place = readCoordinate(location);
  if (place === undefined && countryCode === undefined) return undefined;
  const radiusKm = location['accuracy_radius'];
  const isNear = typeof radiusKm !== 'number' || radiusKm <= TOWN_RADIUS_KM;
  return { coordinate: place, countryCode, precise: place !== undefined && isNear && hasCity(all['city']) };
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const fields = (value: unknown): Fields => (isFields(value) ? value : {});

/** Where an address is used takes precedence over where it is registered, often the head office of a carrier. */
function readCountry(all: Fields): string | undefined {
  const codes = [
    all['country_code'],
    fields(all['country'])['iso_code'],
    fields(all['registered_country'])['iso_code'],
  ];
  return codes.find((code): code is string => typeof code === 'string' && /^[A-Z]{2}$/.test(code));
}

/** Files without empty fields use the point 0,0 for "unknown": there is only sea. */
function readCoordinate({ latitude, longitude }: Fields): Coordinate | undefined {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined;
  return latitude === 0 && longitude === 0 ? undefined : coordinate(latitude, longitude);
}

const hasCity = (city: unknown): boolean =>
  typeof city === 'string' ? city !== '' : Object.keys(fields(city)).length > 0;
