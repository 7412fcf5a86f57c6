import { nameOfHost } from '../feed-farm/hosts.ts';

/** Hosts of one station or of a few, and four that have a tenth of all between them. */
const STATIONS_A_HOST = 4;
const LARGE_HOSTS = 4;

export interface Place {
  stations: number;
  port: number;
}

export const hostCount = (stations: number): number =>
  Math.max(2 * LARGE_HOSTS, Math.ceil(stations / STATIONS_A_HOST));

export function hostOf(number: number, stations: number): number {
  const hosts = hostCount(stations);
  if (number % 10 === 0) return (number / 10) % LARGE_HOSTS;
  return LARGE_HOSTS + (number % (hosts - LARGE_HOSTS));
}

export const stationAddress = (number: number, { stations, port }: Place): string =>
  `http://${nameOfHost(hostOf(number, stations))}:${port}/${number}`;

/** Where redirects and playlists lead: the same station at another host. */
export const nextHostOf = (number: number, stations: number): number =>
  (hostOf(number, stations) + 1) % hostCount(stations);

export const nextAddress = (number: number, { stations, port }: Place): string =>
  `http://${nameOfHost(nextHostOf(number, stations))}:${port}/next/${number}`;
