import { type RowOf, statement } from '../../db/statement.ts';

/** How long a station can look back. */
export const KEPT_DAYS = 90;
/** More than a station has by itself: a row for every day and country. */
const MAX_ROWS = 10_000;

/** What was heard of a station through the relay in a day, by country: numbers alone, nothing about who it was. */
export interface Listening {
  stationId: number;
  /** `2026-11-18`, in UTC. */
  day: string;
  /** ISO 3166-1; empty where nobody knows, as of radios at home. */
  country: string;
  sessions: number;
  seconds: number;
}

/** Adds to what is there; a station that has gone meanwhile has no numbers. */
export const addListening = statement(
  'relay-listening-add',
  {},
  `INSERT INTO relay_listening AS kept (station_id, day, country, sessions, seconds)
   SELECT heard.station_id, heard.day, heard.country, heard.sessions, heard.seconds
   FROM unnest($1::bigint[], $2::date[], $3::text[], $4::bigint[], $5::bigint[])
     AS heard (station_id, day, country, sessions, seconds)
   WHERE EXISTS (SELECT FROM stations WHERE id = heard.station_id)
   ORDER BY heard.station_id, heard.day, heard.country
   ON CONFLICT (station_id, day, country) DO UPDATE SET
     sessions = kept.sessions + excluded.sessions, seconds = kept.seconds + excluded.seconds`,
).command((rows: readonly Listening[]) => [
  rows.map(({ stationId }) => stationId),
  rows.map(({ day }) => day),
  rows.map(({ country }) => country),
  rows.map(({ sessions }) => sessions),
  rows.map(({ seconds }) => seconds),
]);

export const forgetListening = statement(
  'relay-listening-forget',
  {},
  `DELETE FROM relay_listening WHERE day < current_date - ${KEPT_DAYS}`,
).command();

const COLUMNS = { day: 'date', country: 'text', sessions: 'int8', seconds: 'int8' } as const;
export type ListeningRow = RowOf<typeof COLUMNS>;

/** The newest day first, and of each the country with the most. */
export const listListening = statement(
  'relay-listening-of-station',
  COLUMNS,
  `SELECT day, country, sessions, seconds FROM relay_listening WHERE station_id = $1
   ORDER BY day DESC, seconds DESC, country LIMIT ${MAX_ROWS}`,
).all((stationId: number) => [stationId]);

/** Hours with two digits. */
export const hoursOf = ({ seconds }: Pick<ListeningRow, 'seconds'>): string => (seconds / 3600).toFixed(2);
