import type { Pool, PoolClient } from 'pg';
import { guideId } from '../../lib/guide-id.ts';
import {
  addChange,
  type ChangeAction,
  type ChangeRow,
  firstStateOf,
  listChangesInForce,
} from '../../storage/catalog/stations/station-changes.ts';
import {
  fieldNames,
  type FieldName,
  type StationFields,
  fieldsOf,
  type FieldState,
  type HeldStation,
  holdStations,
  pinned,
  writeFields,
} from '../../storage/catalog/stations/station-fields.ts';
import { bumpCatalogue } from '../../storage/catalog/stations/version.ts';
import { holdStationsStill } from '../../storage/db/advisory-lock.ts';
import { transaction } from '../../storage/db/transaction.ts';
import { loadStations } from '../pipeline/batch.ts';
import { loadPlaceResolution, rederiveStations, type ResolvePlace } from '../pipeline/rederive.ts';
import { writeBatch } from '../pipeline/write-batch.ts';

/** Who changes something, and why. */
export interface Author {
  who: string;
  why?: string | undefined;
}

/** The hand of an operator in one transaction: every change is written down in it, and servers see all of it or none. */
export interface Hand extends Author {
  client: PoolClient;
  /** Resolves the words of records to places, genres and languages; loaded when it is needed. */
  resolution: () => Promise<ResolvePlace>;
}

export type WithHand = <T>(author: Author, work: (hand: Hand) => Promise<T>) => Promise<T>;

/** The tables for resolving records take a second to load, so they are loaded at most once. */
export function openHand(pool: Pool): WithHand {
  let loaded: ResolvePlace | undefined;
  return (author, work) =>
    transaction(pool, async (client) => {
      await holdStationsStill(client);
      const resolution = async (): Promise<ResolvePlace> => (loaded ??= await loadPlaceResolution(client));
      const result = await work({ ...author, client, resolution });
      await bumpCatalogue(client);
      return result;
    });
}

/** Holds a station that can be changed; says what to do about one that cannot. */
export async function getEditableStation({ client }: Hand, id: number): Promise<HeldStation> {
  const [station] = await holdStations(client, [id]);
  const name = guideId('s', id);
  if (!station) throw new Error(`there is no station ${name}; Search.ashx?query=NAME finds its id`);
  if (station.mergedInto === null) return station;
  const into = guideId('s', station.mergedInto);
  throw new Error(
    `${name} is part of ${into} now: change ${into} instead, or take the merge back (longwave station history ${name})`,
  );
}

/** Hidden by a person; an import may have unlisted it without that. */
export const isHidden = ({ values, pinned: pins }: HeldStation): boolean =>
  values['listed'] === false && pins.includes('listed');

/** Sets fields and pins them, so that no import changes them again. Returns the change's number; none if all is so already. */
export async function setFields(
  hand: Hand,
  stationId: number,
  fields: StationFields,
): Promise<number | undefined> {
  const station = await getEditableStation(hand, stationId);
  const before = await fieldsOf(hand.client, station, fieldNames(fields));
  const isSame = fieldNames(fields).every((name) => isSameState(before[name], fields[name]));
  return isSame ? undefined : changeFields(hand, station, 'set', fields);
}

const isSameState = (one: FieldState | undefined, other: FieldState | undefined): boolean =>
  JSON.stringify([one?.value, one?.pinned]) === JSON.stringify([other?.value, other?.pinned]);

const VISIBLE: FieldState = { value: true, pinned: false };

/** Takes a station out of all menus and searches; its id still answers, with an announcement. */
export async function hideStation(hand: Hand, stationId: number): Promise<number> {
  const station = await getEditableStation(hand, stationId);
  if (isHidden(station)) {
    const name = guideId('s', stationId);
    throw new Error(`${name} is hidden already; longwave station history ${name} says by whom and why`);
  }
  return changeFields(hand, station, 'hide', { listed: pinned(false) });
}

export async function unhideStation(hand: Hand, stationId: number): Promise<number> {
  const station = await getEditableStation(hand, stationId);
  if (!isHidden(station)) {
    const name = guideId('s', stationId);
    throw new Error(`${name} is not hidden; longwave station show ${name} says why it is not listed`);
  }
  return changeFields(hand, station, 'unhide', { listed: VISIBLE });
}

interface ChangeOptions {
  takedownId?: number | undefined;
  reverts?: number | undefined;
}

/** Writes fields, and the change down; what is no longer pinned is again what the station's records say. */
export async function changeFields(
  hand: Hand,
  station: HeldStation,
  action: ChangeAction,
  after: StationFields,
  options: ChangeOptions = {},
): Promise<number> {
  const { client, who, why } = hand;
  const names = fieldNames(after);
  const before = await fieldsOf(client, station, names);
  await writeFields(client, station.id, after);
  if (names.some((name) => isDerived(name) && before[name]?.pinned && !after[name]?.pinned))
    await rederive(hand, [station.id]);
  return addChange(client, { stationId: station.id, action, before, after, who, why, ...options });
}

/** Slogans, descriptions and words about relays are in no source, and whether a station is listed is not for its records to say. */
const isDerived = (name: FieldName): boolean =>
  !['slogan', 'description', 'relay', 'listed'].includes(name) && !name.startsWith('stream ');

/** Derives stations and their streams from their records again. Pinned fields stay. */
export async function rederive({ client, resolution }: Hand, ids: readonly number[]): Promise<void> {
  const batch = await loadStations(client, ids);
  await rederiveStations(client, batch, batch.stations, await resolution());
  await writeBatch(client, batch);
}

/** How fields are without the given changes: as the last change left that is in force, else as at first. */
export async function fieldsWithout(
  { client }: Hand,
  stationId: number,
  names: readonly FieldName[],
  undone: ReadonlySet<number>,
): Promise<StationFields> {
  const left = (await listChangesInForce(client, stationId)).filter(
    (change) => change.station_id === stationId && !undone.has(change.id),
  );
  const states: Partial<Record<FieldName, FieldState>> = {};
  for (const name of names) {
    const last = left.findLast((change) => stateIn(change, name) !== undefined);
    const state = last ? stateIn(last, name) : toState(await firstStateOf(client, stationId, name));
    if (state) states[name] = state;
  }
  return states;
}

/** What a change made of a field; undefined if it did not touch it. */
export const stateIn = ({ after }: ChangeRow, name: FieldName): FieldState | undefined =>
  toState(Object(after)[name]);

function toState(json: unknown): FieldState | undefined {
  if (typeof json !== 'object' || json === null || !('value' in json) || !('pinned' in json))
    return undefined;
  return { value: json.value, pinned: json.pinned === true };
}
