import type { Pool, PoolClient } from 'pg';
import { loadPlaceResolver } from '../../../storage/catalog/places/place-resolver.ts';
import { bumpCatalogue } from '../../../storage/catalog/stations/version.ts';
import { inTransaction } from '../../../storage/db/transaction.ts';
import { withImportSession } from '../../pipeline/import-lock.ts';
import { FIRST_OWN_REGION } from './countries.ts';
import { CurrentStates } from './current-states.ts';
import {
  cityIntake,
  countryIntake,
  createIncoming,
  type Intake,
  languageIntake,
  postalIntake,
  regionIntake,
  type Tally,
  writePlaceBatch,
} from './intakes.ts';
import {
  cityRows,
  continentRows,
  countryRows,
  packagedPlaces,
  type PlaceData,
  postalRows,
  ROOT,
  stateRows,
  surveyCities,
} from './rows.ts';

const KINDS = ['continents', 'countries', 'states', 'cities', 'postal codes', 'languages'] as const;
type Kind = (typeof KINDS)[number];

export type PlacesSummary = Record<Kind, Tally>;

export interface PlacesProgress {
  done: number;
  total: number;
  what: Kind;
}

/** So that the first queries after an import get plans for full tables and a merged index on names. */
const TIDY = 'VACUUM (ANALYZE) regions, countries, cities, postal_codes, languages';

interface Import {
  client: PoolClient;
  report: (progress: PlacesProgress) => void;
  summary: PlacesSummary;
}

/**
 * Brings the tree of regions, the countries, postal codes and languages up to date. Existing rows keep their ids, and
 * rows that the data no longer has stay. It can be killed at any moment and run again.
 */
export function importPlaces(
  pool: Pool,
  report: (progress: PlacesProgress) => void,
  data: PlaceData = packagedPlaces(),
): Promise<PlacesSummary> {
  return withImportSession(pool, async (client) => {
    await client.query("SET statement_timeout = '2min'");
    const task: Import = { client, report, summary: emptySummary() };
    await prepare(client);
    await writeTree(task, data);
    await writePostalCodes(task, data);
    await write(task, 'languages', languageIntake, data.languages, data.languages.length);
    const isChanged = Object.values(task.summary).some(({ added, changed }) => added + changed > 0);
    if (isChanged) await client.query(TIDY);
    await finishRun(client, task.summary, isChanged);
    return task.summary;
  });
}

const newTally = (): Tally => ({ read: 0, added: 0, changed: 0 });

const emptySummary = (): PlacesSummary => ({
  continents: newTally(),
  countries: newTally(),
  states: newTally(),
  cities: newTally(),
  'postal codes': newTally(),
  languages: newTally(),
});

async function prepare(client: PoolClient): Promise<void> {
  await startRun(client);
  const tables = [regionIntake, countryIntake, cityIntake, postalIntake, languageIntake];
  for (const sql of tables.map(createIncoming)) await client.query(sql);
  await client.query(
    `SELECT setval('regions_id_seq', ${FIRST_OWN_REGION}) FROM regions_id_seq WHERE last_value < ${FIRST_OWN_REGION}`,
  );
}

async function writeTree(task: Import, data: PlaceData): Promise<void> {
  const states = new CurrentStates(data.states);
  for await (const city of data.readCurrentCities()) states.add(city);
  const survey = surveyCities(data.readCities(), states);
  await write(task, 'continents', regionIntake, [ROOT], 1);
  await write(task, 'continents', regionIntake, continentRows(), continentRows().length);
  await write(task, 'countries', countryIntake, countryRows(data, survey), data.countries.length);
  await write(task, 'states', regionIntake, stateRows(data, survey), data.states.length);
  await write(task, 'cities', cityIntake, cityRows(data, survey), survey.cityCount);
}

async function writePostalCodes(task: Import, data: PlaceData): Promise<void> {
  const records = [...data.listPostalRecords()];
  const countries = new Set(records.map(({ placeCountryCode }) => placeCountryCode));
  const resolver = await loadPlaceResolver(task.client, countries);
  await write(task, 'postal codes', postalIntake, postalRows(records, resolver), records.length);
}

async function write<Row>(
  { client, report, summary }: Import,
  what: Kind,
  intake: Intake<Row>,
  rows: Iterable<Row>,
  total: number,
): Promise<void> {
  const left = Iterator.from(rows);
  const tally = summary[what];
  while (await writePlaceBatch(client, intake, left, tally)) report({ done: tally.read, total, what });
}

const SOURCE = 'places';

/** A killed import leaves this unfinished, which tells the next one. */
export async function startRun(client: PoolClient): Promise<void> {
  await client.query('INSERT INTO import_runs (source) VALUES ($1)', [SOURCE]);
}

/**
 * Notifies the servers when something changed: in this run, or in an earlier one that was killed before it could.
 * Every unfinished run is a dead one, since this session holds the lock.
 */
export async function finishRun(client: PoolClient, summary: object, isChanged: boolean): Promise<void> {
  await inTransaction(client, async () => {
    const { rowCount } = await client.query(
      'UPDATE import_runs SET finished_at = now(), summary = $2 WHERE source = $1 AND finished_at IS NULL',
      [SOURCE, JSON.stringify(summary)],
    );
    if (isChanged || (rowCount ?? 0) > 1) await bumpCatalogue(client);
  });
}
