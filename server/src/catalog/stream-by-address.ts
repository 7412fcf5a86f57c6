import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

const COLUMNS = { id: 'int8', station_id: 'int8' } as const;

export type StreamOfAddress = RowOf<typeof COLUMNS>;

// The address a source gave, where that leads as the source says, and where a check found it to lead. Radios are sent only
// to what is listed; a stream that is not may still have the address that a listed one leads to.
const byAddress = statement(
  'stream-by-address',
  COLUMNS,
  `SELECT id, station_id FROM (
     (SELECT 1 AS place, id, station_id, listed FROM streams WHERE address_key = $1)
     UNION ALL (SELECT 2, id, station_id, listed FROM streams WHERE resolved_key = $1 ORDER BY listed DESC, id LIMIT 1)
     UNION ALL (SELECT 3, s.id, s.station_id, s.listed FROM stream_checks c JOIN streams s ON s.id = c.stream_id
       WHERE md5(c.resolved_address) = md5($2) AND c.resolved_address = $2 ORDER BY s.listed DESC, s.id LIMIT 1)
   ) AS found ORDER BY listed DESC, place LIMIT 1`,
);

/** The stream behind an address, by the key under which imports know it (none: the nil UUID) or by its very text. */
export async function findStreamByAddress(
  db: Queryable,
  key: string | undefined,
  address: string,
): Promise<StreamOfAddress | undefined> {
  const [found] = await byAddress.run(db, [key ?? '00000000-0000-0000-0000-000000000000', address]);
  return found;
}
