import type { PoolClient } from 'pg';
import { popularityOf, type StationDraft } from './station-draft.ts';
import type { StreamDraft } from './stream-draft.ts';

const STATION_TYPES = {
  name: 'text',
  name_key: 'text',
  call_sign: 'text',
  frequency: 'text',
  band: 'text',
  homepage: 'text',
  homepage_host: 'text',
  country_id: 'bigint',
  region_id: 'bigint',
  latitude: 'double precision',
  longitude: 'double precision',
  zone: 'text',
  votes: 'integer',
  clicks: 'integer',
  popularity: 'integer',
};

const STREAM_TYPES = {
  resolved_address: 'text',
  resolved_key: 'uuid',
  format: 'text',
  playlist: 'text',
  bitrate: 'integer',
  reliability: 'smallint',
  last_seen: 'date',
  listed: 'boolean',
};

/** What an operator set by hand is pinned, and stays; the database decides it, so an edit made meanwhile stays too. */
function updateText(table: string, types: Record<string, string>): string {
  const sets = Object.keys(types).map(
    (column) => `${column} = CASE WHEN '${column}' = ANY (t.pinned) THEN t.${column} ELSE u.${column} END`,
  );
  const columns = Object.entries(types).map(([column, type]) => `${column} ${type}`);
  return `UPDATE ${table} t SET ${sets.join(', ')}, updated_at = now()
    FROM jsonb_to_recordset($2) AS u (id bigint, ${columns.join(', ')})
    WHERE t.id = ANY ($1::bigint[]) AND t.id = u.id`;
}

const UPDATE_STATIONS = updateText('stations', STATION_TYPES);
const UPDATE_STREAMS = updateText('streams', STREAM_TYPES);

export async function updateStations(client: PoolClient, stations: readonly StationDraft[]): Promise<void> {
  if (stations.length === 0) return;
  const ids = stations.map(({ id }) => id);
  await client.query(UPDATE_STATIONS, [ids, JSON.stringify(stations.map(stationRow))]);
  await replaceList(client, 'genre', stations, ids, 'genreIds');
  await replaceList(client, 'language', stations, ids, 'languageIds');
  await client.query(
    `INSERT INTO images (kind, item_id, address)
     SELECT 's', u.id, u.logo FROM jsonb_to_recordset($1) AS u (id bigint, logo text) WHERE u.logo IS NOT NULL
     ON CONFLICT (kind, item_id) DO UPDATE SET address = excluded.address
     WHERE NOT images.pinned AND images.address <> excluded.address`,
    [JSON.stringify(stations.map(({ id, logo }) => ({ id, logo })))],
  );
}

export async function updateStreams(client: PoolClient, streams: readonly StreamDraft[]): Promise<void> {
  if (streams.length === 0) return;
  await client.query(UPDATE_STREAMS, [streams.map(({ id }) => id), JSON.stringify(streams.map(streamRow))]);
}

/** Genres and languages as the drafts have them now; a station whose list an operator set keeps the operator's. */
async function replaceList(
  client: PoolClient,
  noun: 'genre' | 'language',
  stations: readonly StationDraft[],
  ids: readonly number[],
  field: 'genreIds' | 'languageIds',
): Promise<void> {
  const rows = stations.flatMap((station) =>
    station[field].map((item, index) => ({ station_id: station.id, item_id: item, position: index + 1 })),
  );
  const unpinned = `s.id = ANY ($1::bigint[]) AND NOT '${noun}s' = ANY (s.pinned)`;
  const wanted = `SELECT u.station_id, u.item_id, u.position
    FROM jsonb_to_recordset($2) AS u (station_id bigint, item_id bigint, position smallint)
    JOIN stations s ON s.id = u.station_id WHERE ${unpinned}`;
  await client.query(
    `WITH wanted AS (${wanted}),
     gone AS (DELETE FROM station_${noun}s g USING stations s
       WHERE g.station_id = s.id AND ${unpinned}
       AND NOT EXISTS (SELECT FROM wanted w WHERE w.station_id = g.station_id AND w.item_id = g.${noun}_id))
     INSERT INTO station_${noun}s (station_id, ${noun}_id, position) SELECT * FROM wanted
     ON CONFLICT (station_id, ${noun}_id) DO UPDATE SET position = excluded.position
     WHERE station_${noun}s.position <> excluded.position`,
    [ids, JSON.stringify(rows)],
  );
}

const stationRow = (station: StationDraft) => ({
  id: station.id,
  name: station.name,
  name_key: station.nameKey,
  call_sign: station.callSign,
  frequency: station.frequency,
  band: station.band,
  homepage: station.homepage,
  homepage_host: station.homepageHost,
  country_id: station.countryId,
  region_id: station.regionId,
  latitude: station.coordinate?.latitude ?? null,
  longitude: station.coordinate?.longitude ?? null,
  zone: station.zone,
  votes: station.votes,
  clicks: station.clicks,
  popularity: popularityOf(station),
});

const streamRow = (stream: StreamDraft) => ({
  id: stream.id,
  resolved_address: stream.resolvedAddress,
  resolved_key: stream.resolvedKey,
  format: stream.format,
  playlist: stream.playlist,
  bitrate: stream.bitrate,
  reliability: stream.reliability,
  last_seen: stream.lastSeen,
  listed: stream.listed,
});
