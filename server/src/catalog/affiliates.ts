import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

const COLUMNS = { id: 'int8', name: 'text', homepage: 'text?' } as const;

export type AffiliateRow = RowOf<typeof COLUMNS>;

const byId = statement('affiliate-by-id', COLUMNS, 'SELECT id, name, homepage FROM affiliates WHERE id = $1');

export async function findAffiliate(db: Queryable, id: number): Promise<AffiliateRow | undefined> {
  const [affiliate] = await byId.run(db, [id]);
  return affiliate;
}

const all = statement(
  'affiliates',
  COLUMNS,
  'SELECT id, name, homepage FROM affiliates ORDER BY id LIMIT 100000',
);

/** Every network; there are some thousands in the world. */
export const listAffiliates = (db: Queryable): Promise<AffiliateRow[]> => all.run(db, []);

const ofStation = statement(
  'affiliates-of-station',
  COLUMNS,
  `SELECT a.id, a.name, a.homepage FROM station_affiliates s JOIN affiliates a ON a.id = s.affiliate_id
   WHERE s.station_id = $1 ORDER BY a.name, a.id`,
);

export const listAffiliatesOfStation = (db: Queryable, stationId: number): Promise<AffiliateRow[]> =>
  ofStation.run(db, [stationId]);

const stationIds = statement(
  'affiliate-station-ids',
  { station_id: 'int8' },
  'SELECT station_id FROM station_affiliates WHERE affiliate_id = $1',
);

/** Ids of the stations of a network, in no order; the directory knows the rest. */
export async function idsOfAffiliate(db: Queryable, affiliateId: number): Promise<number[]> {
  const rows = await stationIds.run(db, [affiliateId]);
  return rows.map(({ station_id }) => station_id);
}
