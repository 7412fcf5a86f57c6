import type { PoolClient } from 'pg';
import { bumpCatalogue } from '../../storage/catalog/stations/version.ts';
import { inTransaction } from '../../storage/db/transaction.ts';
import {
  type Affiliate,
  type AffiliatedStation,
  type SourcedNetwork,
  affiliateKey,
  deriveAffiliates,
} from './derive-affiliates.ts';
import { type BroadcastNetwork, knownNetworks, readNetworks } from './network.ts';

/** The outcome of a pass over all stations. */
interface SavedAffiliates {
  networks: number;
  stations: number;
  /** Stations that joined or left a network. */
  changed: number;
}

/**
 * Recomputes which networks all stations belong to, in one transaction that writes nothing where nothing changed.
 * Networks that were entered by hand are left alone.
 */
export const saveAffiliates = (client: PoolClient): Promise<SavedAffiliates> =>
  inTransaction(client, () => saveAll(client));

interface ImportedAffiliates extends SavedAffiliates {
  /** What is wrong with networks of the file that were left out. */
  refused: readonly string[];
}

/**
 * An operator's networks replace ours of the same name, and survive every import. A wrong one is left out; if all are
 * wrong, nothing is imported.
 */
export async function importAffiliates(client: PoolClient, text: string): Promise<ImportedAffiliates> {
  const { networks, refused } = readNetworks(text);
  if (networks.length === 0 && refused[0] !== undefined) throw new Error(refused[0]);
  const saved = await inTransaction(client, async () => {
    for (const network of networks)
      await client.query(
        `INSERT INTO affiliates (name, name_key, homepage, told_by, rule) VALUES ($1, $2, $3, 'operator', $4)
         ON CONFLICT (name_key) DO UPDATE SET name = excluded.name, homepage = excluded.homepage, told_by = 'operator',
           rule = excluded.rule`,
        [network.name, affiliateKey(network.name), network.homepage ?? null, JSON.stringify(network)],
      );
    return saveAll(client);
  });
  return { ...saved, refused };
}

async function saveAll(client: PoolClient): Promise<SavedAffiliates> {
  const derived = deriveAffiliates(await loadStations(client), await sourcedNetworks(client));
  const ids = await saveNetworks(client, derived);
  const pairs = [...derived].flatMap(([key, { stationIds }]) => {
    const id = ids.get(key);
    return id === undefined ? [] : [...stationIds].map((stationId) => [stationId, id] as const);
  });
  const changed = await savePairs(client, pairs);
  if (changed > 0) await bumpCatalogue(client);
  return { networks: derived.size, stations: new Set(pairs.map(([station]) => station)).size, changed };
}

async function loadStations(client: PoolClient): Promise<AffiliatedStation[]> {
  const { rows } = await client.query<{ id: number; name: string; host: string | null; code: string | null }>(
    `SELECT s.id, s.name, s.homepage_host AS host, c.code FROM stations s LEFT JOIN countries c ON c.id = s.country_id
     WHERE s.merged_into IS NULL ORDER BY s.id`,
  );
  return rows.map(({ id, name, host, code }) => ({ id, name, homepageHost: host, countryCode: code }));
}

async function sourcedNetworks(client: PoolClient): Promise<SourcedNetwork[]> {
  const { rows } = await client.query<{ rule: BroadcastNetwork }>(
    `SELECT rule FROM affiliates WHERE told_by = 'operator' AND rule IS NOT NULL ORDER BY id`,
  );
  const theirs = rows.map(({ rule }) => ({ network: rule, source: 'operator' as const }));
  const taken = new Set(theirs.map(({ network }) => affiliateKey(network.name)));
  const ours = knownNetworks().filter(({ name }) => !taken.has(affiliateKey(name)));
  return [...ours.map((network) => ({ network, source: 'longwave' as const })), ...theirs];
}

/** Ids by key. They continue from the highest one, so that an aborted run leaves no gap. */
async function saveNetworks(
  client: PoolClient,
  derived: ReadonlyMap<string, Affiliate>,
): Promise<ReadonlyMap<string, number>> {
  await client.query('LOCK TABLE affiliates IN SHARE ROW EXCLUSIVE MODE');
  const rows = [...derived].map(([key, { name, homepage, source }]) => ({
    key,
    name,
    homepage,
    told_by: source,
  }));
  await client.query(
    `WITH u AS (
       SELECT * FROM jsonb_to_recordset($1) AS u (key text, name text, homepage text, told_by text)
     ), fresh AS (
       INSERT INTO affiliates (id, name, name_key, homepage, told_by)
       SELECT (SELECT coalesce(max(id), 0) FROM affiliates) + row_number() OVER (ORDER BY key), name, key, homepage, told_by
       FROM u WHERE NOT EXISTS (SELECT FROM affiliates a WHERE a.name_key = u.key)
     )
     UPDATE affiliates a SET name = u.name, homepage = u.homepage, told_by = u.told_by FROM u
     WHERE a.name_key = u.key AND a.told_by IN ('longwave', 'data')
       AND (a.name, a.homepage, a.told_by) IS DISTINCT FROM (u.name, u.homepage, u.told_by)`,
    [JSON.stringify(rows)],
  );
  await client.query(
    `SELECT setval(pg_get_serial_sequence('affiliates', 'id'), coalesce(max(id), 0) + 1, false) FROM affiliates`,
  );
  const { rows: known } = await client.query<{ id: number; key: string }>(
    'SELECT id, name_key AS key FROM affiliates WHERE told_by IS NOT NULL',
  );
  return new Map(known.map(({ id, key }) => [key, id]));
}

/**
 * Returns how many rows were added or removed. A network without stations stays, since radios may have saved its id.
 */
async function savePairs(
  client: PoolClient,
  pairs: readonly (readonly [stationId: number, affiliateId: number])[],
): Promise<number> {
  const { rows } = await client.query<{ changed: number }>(
    `WITH wanted AS MATERIALIZED (
       SELECT * FROM unnest($1::bigint[], $2::bigint[]) AS w (station_id, affiliate_id)
     ), gone AS (
       DELETE FROM station_affiliates s USING affiliates a WHERE a.id = s.affiliate_id AND a.told_by IS NOT NULL
         AND NOT EXISTS (
           SELECT FROM wanted w WHERE w.station_id = s.station_id AND w.affiliate_id = s.affiliate_id)
       RETURNING 1
     ), added AS (
       INSERT INTO station_affiliates (station_id, affiliate_id) SELECT station_id, affiliate_id FROM wanted
       ON CONFLICT DO NOTHING RETURNING 1
     )
     SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM added) AS changed`,
    [pairs.map(([station]) => station), pairs.map(([, affiliate]) => affiliate)],
  );
  return rows[0]?.changed ?? 0;
}
