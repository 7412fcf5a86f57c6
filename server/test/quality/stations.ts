import type { Pool } from 'pg';
import { type Coordinate, coordinate, distanceKm } from '../../src/lib/geo.ts';
import type { City } from './lists.ts';
import { type Broadcaster, isStationOf, type Listed, named } from './match.ts';

export interface Station extends Listed {
  id: string;
  coordinate?: Coordinate | undefined;
  popularity: number;
}

/** Why local radio does not show a broadcaster among its first lines. */
export const REASONS = ['ranked low', 'placed elsewhere', 'no place', 'not listed'] as const;
export type Reason = (typeof REASONS)[number];

/** Further away than this is another town. */
const NEAR_KM = 50;

/** The listed stations with what tells who they are. */
export async function readStations(db: Pool): Promise<Map<string, Station>> {
  const { rows } = await db.query(
    `SELECT s.id::text, s.name, c.code AS country, s.homepage_host AS host, s.latitude, s.longitude, s.popularity,
       ARRAY(SELECT g.slug FROM station_genres sg JOIN genres g ON g.id = sg.genre_id
         WHERE sg.station_id = s.id) AS genres,
       ARRAY(SELECT l.code FROM station_languages sl JOIN languages l ON l.id = sl.language_id
         WHERE sl.station_id = s.id) AS languages
     FROM stations s LEFT JOIN countries c ON c.id = s.country_id WHERE s.listed`,
  );
  return new Map(
    rows.map(({ id, name, country, host, latitude, longitude, popularity, genres, languages }) => [
      id,
      {
        id,
        ...named(name, country ?? undefined, host ?? undefined),
        coordinate: coordinate(latitude ?? Number.NaN, longitude ?? Number.NaN),
        popularity,
        genres,
        languages,
      },
    ]),
  );
}

export function whyMissing(wanted: Broadcaster, city: City, stations: Iterable<Station>): Reason {
  const its = [...stations].filter((station) => isStationOf(wanted, station));
  if (its.length === 0) return 'not listed';
  const points = its.flatMap((station) => station.coordinate ?? []);
  if (points.length === 0) return 'no place';
  const isNear = points.some((point) => distanceKm(point, city) <= NEAR_KM);
  return isNear ? 'ranked low' : 'placed elsewhere';
}
