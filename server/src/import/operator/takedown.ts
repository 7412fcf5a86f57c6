import { keyOfAddress } from '../../core/cleaning/clean-address.ts';
import { homepageHost, homepageKey } from '../../core/cleaning/clean-homepage.ts';
import { doubtfulKey, nameKey, plainKey } from '../../core/cleaning/clean-name.ts';
import { parseCountry } from '../../storage/catalog/places/country-names.ts';
import { listCountries } from '../../storage/catalog/places/places.ts';
import {
  listChangesOfTakedown,
  markChangesReverted,
} from '../../storage/catalog/stations/station-changes.ts';
import { fieldNames, holdStations, pinned } from '../../storage/catalog/stations/station-fields.ts';
import {
  addTakedown,
  addTakedownEntries,
  findByAddressKeys,
  findByHomepageHosts,
  findByNameKeys,
  findTakedown,
  listStreamKeys,
  markLifted,
  type TakedownEntry,
  type TakedownMatch,
} from '../../storage/catalog/stations/takedowns.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { changeFields, fieldsWithout, type Hand } from './hand.ts';

export const MAX_LINES = 10_000;

/** A line of a list, by what it may mean. */
interface TakedownLine {
  /** In the file, from 1. */
  number: number;
  text: string;
  nameKey?: string | undefined;
  /** The only country that is meant, as `Town FM | AT` says. */
  countryCode?: string | undefined;
  streamKey?: string | undefined;
  homepageKey?: string | undefined;
  homepageHost?: string | undefined;
}

export interface MatchedLine extends TakedownLine {
  countryId: number | null;
  stations: readonly TakedownMatch[];
}

const ADDRESS = /^(?:https?:\/\/\S+|[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]\S*)?)$/i;

/** Reads a list: a name or an address a line, `Name | AT` for one country only; what follows a `#` at its begin is a comment. */
export function parseTakedownList(text: string): TakedownLine[] {
  const lines = text
    .split(/\r\n|\n|\r/)
    .map((line, index) => ({ number: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'));
  if (lines.length === 0) throw new Error('the list names nothing; write a name or an address a line');
  if (lines.length > MAX_LINES)
    throw new Error(`the list has ${lines.length} lines, over ${MAX_LINES}; split it into several`);
  return lines.map(readLine);
}

function readLine(line: { number: number; text: string }): TakedownLine {
  if (ADDRESS.test(line.text)) {
    const isName = !/^https?:/i.test(line.text);
    return {
      ...line,
      streamKey: keyOfAddress(line.text),
      homepageKey: homepageKey(line.text),
      homepageHost: homepageHost(/^https?:/i.test(line.text) ? line.text : `http://${line.text}`),
      ...(isName && { nameKey: nameKey(line.text) }),
    };
  }
  const [, name = line.text, country] = /^(.*\S)\s*\|\s*([^|]+)$/.exec(line.text) ?? [];
  const countryCode = country === undefined ? undefined : parseCountry(country);
  if (country !== undefined && countryCode === undefined)
    throw new Error(
      `line ${line.number}: '${country}' is no country; write a code after the bar: ${name} | AT`,
    );
  const key = nameKey(name);
  if (key === '')
    throw new Error(`line ${line.number}: '${line.text}' has no letter; write a name or an address`);
  return { ...line, nameKey: key, countryCode };
}

/** Which stations each line means. A fixed number of queries, however long the list is. */
export async function matchTakedown(db: Queryable, lines: readonly TakedownLine[]): Promise<MatchedLine[]> {
  const keysOf = (field: 'nameKey' | 'streamKey' | 'homepageHost'): string[] => [
    ...new Set(lines.flatMap((line) => line[field] ?? [])),
  ];
  const countries = new Map((await listCountries(db)).map(({ code, id }) => [code, id]));
  const named = keysOf('nameKey').flatMap((key) => [key, doubtfulKey(key)]);
  const byName = Map.groupBy(await findByNameKeys(db, named), ({ key }) => plainKey(key ?? ''));
  const byStream = Map.groupBy(await findByAddressKeys(db, keysOf('streamKey')), ({ key }) => key);
  const byPage = Map.groupBy(await findByHomepageHosts(db, keysOf('homepageHost')), ({ key }) =>
    homepageKey(key ?? ''),
  );
  return lines.map((line) => {
    const countryId = countries.get(line.countryCode ?? '') ?? null;
    const called = (line.nameKey === undefined ? [] : (byName.get(line.nameKey) ?? [])).filter(
      (station) => line.countryCode === undefined || station.country_id === countryId,
    );
    const streaming = byStream.get(line.streamKey ?? null) ?? [];
    const paged = line.homepageKey === undefined ? [] : (byPage.get(line.homepageKey) ?? []);
    const found = new Map([...called, ...streaming, ...paged].map((station) => [station.id, station]));
    return { ...line, countryId, stations: [...found.values()] };
  });
}

export interface Applied {
  id: number;
  stations: number;
}

/** Hides all stations that the lines mean, and remembers them, so that no import brings them back. */
export async function applyTakedown(hand: Hand, lines: readonly MatchedLine[]): Promise<Applied> {
  const { client, who, why = '' } = hand;
  const id = await addTakedown(client, why, who);
  const stations = new Map(lines.flatMap((line) => line.stations.map((station) => [station.id, station])));
  const streams = await listStreamKeys(client, [...stations.keys()]);
  const entries: TakedownEntry[] = [
    ...lines.flatMap(entriesOfLine),
    // Of a station without a country its streams tell enough; its name alone would hide namesakes everywhere.
    ...[...stations.values()].flatMap(({ name_key: key, country_id: countryId }) =>
      countryId === null || key === '' ? [] : [{ kind: 'name', key: plainKey(key), countryId } as const],
    ),
    ...streams.map((key) => ({ kind: 'stream', key, countryId: null }) as const),
  ];
  const distinct = new Map(entries.map((entry) => [JSON.stringify(entry), entry]));
  await addTakedownEntries(client, id, [...distinct.values()]);
  for (const station of await holdStations(client, [...stations.keys()]))
    await changeFields(hand, station, 'takedown', { listed: pinned(false) }, { takedownId: id });
  return { id, stations: stations.size };
}

/** What a line says beside the stations that it means now. A name without a country means any only if it means none yet. */
function entriesOfLine({
  nameKey: name,
  countryId,
  countryCode,
  stations,
  ...line
}: MatchedLine): TakedownEntry[] {
  const isAddress = line.streamKey !== undefined || line.homepageKey !== undefined;
  const entries: TakedownEntry[] = [];
  if (name !== undefined && !isAddress && (countryCode !== undefined || stations.length === 0))
    entries.push({ kind: 'name', key: name, countryId });
  if (line.streamKey !== undefined) entries.push({ kind: 'stream', key: line.streamKey, countryId: null });
  if (line.homepageKey !== undefined)
    entries.push({ kind: 'homepage', key: line.homepageKey, countryId: null });
  return entries;
}

const PAGE = 500;

/** Shows again what a takedown hid, but for what was hidden otherwise too. */
export async function liftTakedown(hand: Hand, id: number): Promise<number> {
  const { client, who } = hand;
  const takedown = await findTakedown(client, id);
  if (!takedown) throw new Error(`there is no takedown ${id}; longwave takedown list shows them`);
  if (takedown.lifted_at !== null)
    throw new Error(`takedown ${id} is lifted already, by ${takedown.lifted_by}`);
  let [after, lifted] = [0, 0];
  for (;;) {
    const changes = await listChangesOfTakedown(client, id, { after, limit: PAGE });
    for (const change of changes.filter(({ reverted_at: reverted }) => reverted === null)) {
      const [station] = await holdStations(client, [change.station_id]);
      if (!station) continue;
      const names = fieldNames(Object(change.after));
      const fields = await fieldsWithout(hand, station.id, names, new Set([change.id]));
      await changeFields(hand, station, 'revert', fields, { reverts: change.id });
      await markChangesReverted(client, [change.id]);
      lifted += 1;
    }
    after = changes.at(-1)?.id ?? 0;
    if (changes.length < PAGE) break;
  }
  await markLifted(client, id, who);
  return lifted;
}
