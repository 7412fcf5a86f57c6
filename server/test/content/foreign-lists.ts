import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Pool } from 'pg';
import { cleanName, nameKey } from '../../src/core/cleaning/clean-name.ts';
import { readJsonItems } from '../../src/formats/json-lines/read.ts';
import { REAL_STATIONS } from './real-data.ts';

/** A station as a list of another program has it, and which of ours it is. */
export interface ListedStation {
  /** Its id elsewhere, made up: `s100001`. */
  guideId: string;
  /** And one in the form of radio-browser's. */
  uuid: string;
  name: string;
  address: string;
  countryCode: string;
  stationId: number;
}

interface RealRow {
  id: string;
  name: string;
  url: string;
  url_resolved?: string;
  countrycode?: string;
}

const isRow = (value: unknown): value is RealRow =>
  typeof value === 'object' && value !== null && 'id' in value && 'url' in value && 'name' in value;

interface Wanted {
  count: number;
  /** Where among all of them the choice begins, so that each list has others. */
  offset: number;
  /**
   * For lists without addresses: only records of this country that are called as their station is. Other records have their
   * station by its address alone, and a name that is wrong, or of another station.
   */
  namedIn?: string;
}

interface RecordStation {
  record: string;
  station_id: number;
  name_key: string;
  code: string | null;
}

/** Every real record that was imported, with its station. */
async function readRecords(pool: Pool): Promise<[RealRow, RecordStation][]> {
  const { rows } = await pool.query<RecordStation>(
    `SELECT record, station_id, name_key, code FROM station_records
     JOIN stations ON stations.id = station_id LEFT JOIN countries ON countries.id = country_id
     WHERE source = 'radio-browser'`,
  );
  const stationOf = new Map(rows.map((row) => [row.record, row]));
  const records: [RealRow, RecordStation][] = [];
  for await (const item of readJsonItems(createReadStream(REAL_STATIONS))) {
    if (!('value' in item) || !isRow(item.value)) continue;
    const station = stationOf.get(item.value.id);
    if (station) records.push([item.value, station]);
  }
  return records;
}

let records: Promise<[RealRow, RecordStation][]> | undefined;

/** Real stations, spread over the whole file, with names and addresses spelt as the world spells them. */
export async function listedStations(
  pool: Pool,
  { count, offset, namedIn }: Wanted,
): Promise<ListedStation[]> {
  const all = await (records ??= readRecords(pool));
  const rows = namedIn === undefined ? all : all.filter(([row, station]) => isNamed(row, station, namedIn));
  const step = Math.floor(rows.length / count);
  const chosen = Array.from({ length: count }, (_, n) => rows[(n * step + offset) % rows.length]!);
  return chosen.map(([row, station], n) => ({
    guideId: `s${100_001 + offset * 1000 + n}`,
    uuid: uuidOf(`${offset} ${n}`),
    name: NAMES[n % NAMES.length]!(row.name),
    address: ADDRESSES[n % ADDRESSES.length]!(row),
    countryCode: row.countrycode ?? '',
    stationId: station.station_id,
  }));
}

const isNamed = ({ name, countrycode }: RealRow, station: RecordStation, country: string): boolean =>
  countrycode === country && station.code === country && nameKey(cleanName(name) ?? '') === station.name_key;

function uuidOf(text: string): string {
  const hex = createHash('md5').update(text).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const NAMES: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => `${name} [MP3 128 kbps]`,
  (name) => `  ${name.replaceAll(' ', '  ')} `,
  (name) => name.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, ''),
  (name) => name.replaceAll(' - ', ' – ').toLowerCase(),
  (name) => `${name} (128k)`,
];

/** With another count than the names, so that each spelling meets each. */
const ADDRESSES: readonly ((row: RealRow) => string)[] = [
  ({ url }) => url,
  ({ url }) => (url.startsWith('https:') ? url.replace('https:', 'http:') : url.replace('http:', 'https:')),
  ({ url }) =>
    changed(
      url,
      (parts) =>
        (parts.pathname = `${parts.pathname.replace(/\/+$/, '')}${parts.pathname === '/' ? '/;' : '/'}`),
    ),
  ({ url }) =>
    changed(
      url,
      (parts) => (parts.search += `${parts.search === '' ? '?' : '&'}utm_source=list&nocache=1700000000`),
    ),
  ({ url }) =>
    url.replace(/^(https?:\/\/)([^/?#]+)/i, (_, scheme: string, host: string) => scheme + host.toUpperCase()),
  ({ url }) =>
    url.replace(
      /^(https?):\/\/([^/?#:]+)(?=[/?#]|$)/,
      (_, scheme: string, host: string) => `${scheme}://${host}:${scheme === 'http' ? 80 : 443}`,
    ),
  ({ url, url_resolved: there = '' }) => there || url,
  ({ url }) =>
    changed(
      url,
      (parts) =>
        (parts.search += `${parts.search === '' ? '?' : '&'}zt=eyJhbGciOiJIUzI1NiJ9.eyJzdHJlYW0iOiJ4In0.c2ln&ref=radiodroid`),
    ),
];

function changed(url: string, change: (parts: URL) => unknown): string {
  const parts = new URL(url);
  change(parts);
  return parts.href;
}
