import type { Pool } from 'pg';
import type { Policy } from '../../../src/net/fetch/policy.ts';

const NAME = /^s(\d+)\.stations\.example\.net$/;

/** Every station is a host of its own, in a network of its own, as most are: `s258` is at 127.1.2.1. */
export const stationPolicy: Policy = {
  resolve: async (host) => {
    const number = Number(NAME.exec(host)?.[1] ?? 0);
    return [`127.${number >> 8}.${number & 255}.1`];
  },
  isAllowed: (ip) => ip.startsWith('127.'),
  anyHost: true,
  connectMs: 5000,
};

/** Stations with one stream each, numbered from one. */
export async function addStations(pool: Pool, count: number, port: number): Promise<void> {
  await pool.query(
    `INSERT INTO stations (id, name, name_key, popularity)
     SELECT n, 'Station ' || n, 'station ' || n, n FROM generate_series(1, $1) n`,
    [count],
  );
  await pool.query(
    `INSERT INTO streams (station_id, address, address_key)
     SELECT n, format('http://s%s.stations.example.net:%s/%s', n, $2::integer, n), gen_random_uuid()
     FROM generate_series(1, $1) n`,
    [count, port],
  );
}
