import type { Pool } from 'pg';
import { guideId } from '../../lib/guide-id.ts';
import { type ChangeRow, listChangesBefore } from '../../storage/catalog/stations/station-changes.ts';
import { findStationRow } from '../../storage/catalog/stations/stations.ts';
import { statement } from '../../storage/db/statement.ts';
import { inColumns, plain } from '../terminal.ts';

const PAGE = 50;

/** The changes of a station, newest first, a page at a time. */
export async function describeHistory(pool: Pool, stationId: number, before?: number): Promise<string> {
  const id = guideId('s', stationId);
  if (!(await findStationRow(pool, stationId)))
    throw new Error(`there is no station ${id}; Search.ashx?query=NAME finds its id`);
  const rows = await listChangesBefore(pool, stationId, {
    limit: PAGE + 1,
    ...(before !== undefined && { before }),
  });
  if (rows.length === 0) return before === undefined ? `nobody changed ${id} by hand` : 'no more changes';
  const page = rows.slice(0, PAGE);
  const more = `\nmore: longwave station history ${id} --before ${page.at(-1)?.id}`;
  const names = await namesIn(pool, page);
  const lines = page.map((change) => [
    String(change.id),
    change.made_at.toString({ smallestUnit: 'minute' }).replace('T', ' '),
    plain(change.who),
    whatOf(change, names),
    change.reverted_at === null ? '' : 'undone',
    plain(change.why ?? ''),
  ]);
  return (
    inColumns([['CHANGE', 'WHEN', 'WHO', 'WHAT', 'STATE', 'WHY'], ...lines]) +
    (rows.length > PAGE ? more : '')
  );
}

const MAX_VALUE = 60;

function whatOf(change: ChangeRow, names: Names): string {
  const { action, station_id: station, other_station_id: other, takedown_id: takedown, reverts } = change;
  const [own, theirs] = [guideId('s', station), guideId('s', other ?? 0)];
  if (action === 'merge') return `merge ${theirs} into ${own}`;
  if (action === 'split') return `split ${theirs} off ${own}`;
  if (action === 'takedown') return `takedown ${takedown}`;
  if (action === 'revert') return `revert ${reverts}`;
  if (action !== 'set') return action;
  const [before, after] = [Object(change.before), Object(change.after)];
  const changes = Object.keys(after).map((field) => ({
    field: FIELD_OF[field] ?? field,
    before: said(before, field, names),
    after: said(after, field, names),
  }));
  const told = changes.filter((each) => each.before !== each.after);
  // Who sets what is there already keeps imports from changing it.
  return (told.length > 0 ? told : changes)
    .map((each) => `${each.field}: ${short(each.before)} -> ${short(each.after)}`)
    .join('; ');
}

const short = (text: string): string =>
  text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE - 1)}…`;

/** What is stored by number, by the field that `station set` has for it. */
const FIELD_OF: Readonly<Record<string, string>> = {
  country_id: 'country',
  region_id: 'place',
  call_sign: 'callSign',
};

function said(state: Record<string, unknown>, field: string, names: Names): string {
  const value = valueOf(state, field);
  const named = names.get(field);
  if (!named || value === null) return plain(JSON.stringify(value));
  const list = [value].flat().map((id) => named.get(Number(id)) ?? JSON.stringify(id));
  return plain(JSON.stringify(list.join(',')));
}

const valueOf = (state: Record<string, unknown>, field: string): unknown =>
  Object(state[field]).value ?? null;

/** By field and id: what genres, languages, countries and places are called where `station set` takes them. */
type Names = ReadonlyMap<string, ReadonlyMap<number, string>>;

const namesOfIds = statement(
  'station-history-names',
  { field: 'text', id: 'int8', name: 'text' },
  `SELECT 'genres' AS field, id, slug AS name FROM genres WHERE id = ANY ($1::bigint[])
   UNION ALL SELECT 'languages', id, code FROM languages WHERE id = ANY ($2::bigint[])
   UNION ALL SELECT 'country_id', id, name FROM countries WHERE id = ANY ($3::bigint[])
   UNION ALL SELECT 'region_id', id, name FROM regions WHERE id = ANY ($4::bigint[])`,
);
const NUMBERED = ['genres', 'languages', 'country_id', 'region_id'] as const;

async function namesIn(pool: Pool, changes: readonly ChangeRow[]): Promise<Names> {
  const states = changes.flatMap(({ before, after }) => [Object(before), Object(after)]);
  const ids = NUMBERED.map((field) => [
    ...new Set(
      states.flatMap((state) => [valueOf(state, field)].flat()).filter((id) => typeof id === 'number'),
    ),
  ]);
  const rows = await namesOfIds.run(pool, ids);
  const names = new Map(NUMBERED.map((field) => [field as string, new Map<number, string>()]));
  for (const { field, id, name } of rows) names.get(field)?.set(id, name);
  return names;
}
