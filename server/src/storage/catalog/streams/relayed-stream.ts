import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';

/**
 * What a station says about relays (docs/relay.md). `never`: it is not relayed. `each`: one connection for each listener.
 * `shared`: several may share one. Undefined where nobody has said anything.
 */
export const RELAY_PERMISSIONS = ['never', 'each', 'shared'] as const;
export type RelayPermission = (typeof RELAY_PERMISSIONS)[number];

export const parseRelayPermission = (text: string | null): RelayPermission | undefined =>
  RELAY_PERMISSIONS.find((known) => known === text);

const COLUMNS = {
  id: 'int8',
  address: 'text',
  format: 'text?',
  bitrate: 'int4',
  verdict: 'text?',
  station_id: 'int8',
  station_name: 'text',
  relay: 'text?',
} as const;

/** A stream as a relay needs it. */
export type StreamToRelay = RowOf<typeof COLUMNS>;

const toRelay = statement(
  'stream-to-relay',
  COLUMNS,
  `SELECT s.id, s.address, s.format, s.bitrate, c.verdict, t.id AS station_id, t.name AS station_name, t.relay
   FROM streams AS s JOIN stations AS t ON t.id = s.station_id
   LEFT JOIN stream_checks AS c ON c.stream_id = s.id
   WHERE s.id = $1 AND s.listed AND t.listed`,
);

/** Undefined for a stream that the directory does not have, or does not show. */
export async function findStreamToRelay(db: Queryable, id: number): Promise<StreamToRelay | undefined> {
  const [found] = await toRelay.run(db, [id]);
  return found;
}
