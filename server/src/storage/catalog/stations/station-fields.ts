import type { Queryable } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';

/** The columns that an operator can set. `name_key` and `homepage_host` stay as in the source: records are matched by them. */
const COLUMNS = [
  'name',
  'call_sign',
  'frequency',
  'band',
  'slogan',
  'description',
  'homepage',
  'country_id',
  'region_id',
  'latitude',
  'longitude',
  'zone',
  'relay',
  'listed',
] as const;
const LISTS = ['genres', 'languages'] as const;

type ListName = (typeof LISTS)[number];
export type FieldName = (typeof COLUMNS)[number] | ListName | `stream ${number}`;

/** A field at one moment. Imports leave a pinned one alone. */
export interface FieldState {
  /** As JSON has it; of genres and languages the ids in their order, of a stream whether it is listed. */
  readonly value: unknown;
  readonly pinned: boolean;
}

/** By the column's name; `genres` and `languages`; or `stream 12` for whether that stream is listed. */
export type StationFields = { readonly [Name in FieldName]?: FieldState };

/** A field that an operator sets. */
export const pinned = (value: unknown): FieldState => ({ value, pinned: true });

/** A station as an operator's change finds it, locked until the transaction ends. */
export interface HeldStation {
  id: number;
  /** The station that it was merged into. */
  mergedInto: number | null;
  pinned: readonly string[];
  /** By field. */
  values: Readonly<Record<string, unknown>>;
}

const hold = statement(
  'station-hold',
  { id: 'int8', merged_into: 'int8?', pinned: 'text[]', fields: 'jsonb' },
  `SELECT s.id, s.merged_into, s.pinned, to_jsonb(s) || jsonb_build_object(
     'genres', ARRAY (SELECT genre_id FROM station_genres g WHERE g.station_id = s.id ORDER BY position),
     'languages', ARRAY (SELECT language_id FROM station_languages l WHERE l.station_id = s.id ORDER BY position)) AS fields
   FROM stations s WHERE s.id = ANY ($1::bigint[]) ORDER BY s.id FOR NO KEY UPDATE`,
);

/** Those of the ids that are stations, in order of id, which keeps two operators from waiting for each other. */
export async function holdStations(db: Queryable, ids: readonly number[]): Promise<HeldStation[]> {
  return (await hold.run(db, [ids])).map((row) => ({
    id: row.id,
    mergedInto: row.merged_into,
    pinned: row.pinned,
    values: { ...Object(row.fields) },
  }));
}

const streamStates = statement(
  'station-stream-states',
  { id: 'int8', listed: 'bool', pinned: 'text[]' },
  'SELECT id, listed, pinned FROM streams WHERE id = ANY ($1::bigint[])',
);

/** How the named fields are now. */
export async function fieldsOf(
  db: Queryable,
  station: HeldStation,
  names: readonly FieldName[],
): Promise<StationFields> {
  const streams = await streamStates.run(db, [names.flatMap((name) => streamOf(name) ?? [])]);
  const states = names.map((name): [FieldName, FieldState] => {
    const id = streamOf(name);
    const stream = id === undefined ? undefined : streams.find((row) => row.id === id);
    if (stream) return [name, { value: stream.listed, pinned: stream.pinned.includes('listed') }];
    return [name, { value: station.values[name] ?? null, pinned: station.pinned.includes(name) }];
  });
  return Object.fromEntries(states);
}

/** The fields among the keys of an object, as changes are written down. */
export const fieldNames = (fields: object): FieldName[] => Object.keys(fields).filter(isFieldName);

const isFieldName = (name: string): name is FieldName =>
  [...COLUMNS, ...LISTS].some((known) => known === name) || /^stream \d+$/.test(name);

const streamOf = (name: FieldName): number | undefined =>
  name.startsWith('stream ') ? Number(name.slice(7)) : undefined;

const EDITED = COLUMNS.join(', ');

const edit = statement(
  'station-edit',
  { id: 'int8' },
  `UPDATE stations AS s SET
     (${EDITED}) = (SELECT ${EDITED} FROM jsonb_populate_record(s, $2::jsonb)),
     pinned = ARRAY (SELECT unnest(s.pinned || $3::text[]) EXCEPT SELECT unnest($4::text[]) ORDER BY 1),
     updated_at = now()
   WHERE id = $1 RETURNING id`,
);

/** Writes fields and whether they are pinned. The caller holds the station. */
export async function writeFields(db: Queryable, stationId: number, fields: StationFields): Promise<void> {
  const names = fieldNames(fields);
  const columns = COLUMNS.filter((name) => fields[name] !== undefined);
  const values = Object.fromEntries(columns.map((name) => [name, fields[name]?.value]));
  const ofStation = [...columns, ...LISTS.filter((name) => fields[name] !== undefined)];
  const pins = ofStation.filter((name) => fields[name]?.pinned);
  const unpins = ofStation.filter((name) => !fields[name]?.pinned);
  await edit.run(db, [stationId, JSON.stringify(values), pins, unpins]);
  for (const list of LISTS) {
    const value = fields[list]?.value;
    if (Array.isArray(value)) await REPLACE[list].run(db, [stationId, value]);
  }
  for (const name of names) {
    const id = streamOf(name);
    if (id !== undefined)
      await setStream.run(db, [id, fields[name]?.value === true, fields[name]?.pinned === true]);
  }
}

const replaceText = (noun: 'genre' | 'language'): string =>
  `WITH wanted AS (SELECT id, position FROM unnest($2::bigint[]) WITH ORDINALITY AS u (id, position)),
   gone AS (DELETE FROM station_${noun}s WHERE station_id = $1 AND ${noun}_id <> ALL ($2::bigint[]))
   INSERT INTO station_${noun}s (station_id, ${noun}_id, position) SELECT $1, id, position FROM wanted
   ON CONFLICT (station_id, ${noun}_id) DO UPDATE SET position = excluded.position`;

const REPLACE = {
  genres: statement('station-genres-replace', {}, replaceText('genre')),
  languages: statement('station-languages-replace', {}, replaceText('language')),
};

const setStream = statement(
  'station-stream-set',
  { id: 'int8' },
  `UPDATE streams SET listed = $2, updated_at = now(),
     pinned = CASE WHEN $3 THEN ARRAY (SELECT DISTINCT unnest(pinned || '{listed}') ORDER BY 1)
       ELSE array_remove(pinned, 'listed') END
   WHERE id = $1 RETURNING id`,
);
