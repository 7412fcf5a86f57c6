import type { Pool } from 'pg';
import type { House } from '../../house/house.ts';
import { waitFor } from '../../time/wait-until.ts';
import { type RandomStation, fillCatalogue, randomCatalogue } from '../../content/random-catalogue.ts';

/** Real HTTP and real MP3, of which every station here has its only stream. */
const SOUND = 'http://127.0.0.1:8123/sound.mp3';
const SERVE = `const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  const second = Buffer.concat(Array.from({ length: 38 }, () => frame));
  require('node:http').createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg', 'access-control-allow-origin': '*' });
    for (let at = 0; at < 5; at++) response.write(second);
    const timer = setInterval(() => response.write(second), 1000);
    response.on('close', () => clearInterval(timer));
  }).listen(8123, '127.0.0.1', () => console.log('open'))`;

export interface MapStation extends RandomStation {
  latitude: number;
  longitude: number;
}

/** As many stations as are told, all of them on the map and all of them heard. */
export function mapStations(count: number): { stations: MapStation[]; fill: (pool: Pool) => Promise<void> } {
  const catalogue = randomCatalogue(11, count);
  const stations = catalogue.stations.map((station, at) => ({
    ...station,
    listed: true,
    latitude: thousandths(station.latitude ?? (at % 120) - 60),
    longitude: thousandths(station.longitude ?? (at % 340) - 170),
    // Those of a town are in it.
    ...placeOf(station),
    streams: [{ id: at + 1, format: 'mp3', bitrate: 128, reliability: 100, listed: true }],
  }));
  const fill = async (pool: Pool): Promise<void> => {
    // What was imported before holds on to stations and places.
    await pool.query('TRUNCATE stations, streams, regions, countries, languages, genres CASCADE');
    await fillCatalogue(pool, { ...catalogue, stations });
    await pool.query('UPDATE streams SET address = $1', [SOUND]);
    for (const { id, country, code, latitude, longitude } of TOWNS) {
      await pool.query('UPDATE regions SET latitude = $2, longitude = $3 WHERE id = $1', [
        id,
        latitude,
        longitude,
      ]);
      await pool.query('UPDATE countries SET code = $2 WHERE id = $1', [country, code]);
    }
  };
  return { stations, fill };
}

/** Towns of the catalogue, by their regions, in their countries: Austin, Lyon and Munich. */
const TOWNS = [
  { id: 1111, country: 1, code: 'US', latitude: 30.267, longitude: -97.743 },
  { id: 211, country: 2, code: 'FR', latitude: 45.748, longitude: 4.847 },
  { id: 2211, country: 3, code: 'DE', latitude: 48.137, longitude: 11.575 },
] as const;

const placeOf = ({ regionId }: RandomStation): Partial<MapStation> => {
  const town = TOWNS.find(({ id }) => id === regionId);
  return town ? { latitude: town.latitude, longitude: town.longitude, countryId: town.country } : {};
};

/** As fine as the map is told: so that what stands on its very edge is no matter of rounding. */
const thousandths = (degrees: number): number => Math.round(degrees * 1000) / 1000;

/** Until the house is closed. */
export async function serveSound(house: House): Promise<void> {
  const server = house.start(process.execPath, ['-e', SERVE]);
  await waitFor(server, 'the sound', async () => server.said().includes('open') || undefined);
}

export interface SeenMap {
  latitude: number;
  longitude: number;
  zoom: number;
  width: number;
  height: number;
}

/** Whether a map shows a station, by the books: the world is 512 pixels wide at zoom 0 and drawn by Mercator. */
export function isOnMap({ latitude, longitude, zoom, width, height }: SeenMap, station: MapStation): boolean {
  const world = 512 * 2 ** zoom;
  const right = ((((station.longitude - longitude + 180) % 360) + 360) % 360) - 180;
  const down = southward(station.latitude) - southward(latitude);
  return Math.abs((right / 360) * world) <= width / 2 && Math.abs(down * world) <= height / 2;
}

const southward = (latitude: number): number => {
  const bound = (Math.max(-85.051129, Math.min(85.051129, latitude)) * Math.PI) / 180;
  return -Math.log(Math.tan(Math.PI / 4 + bound / 2)) / (2 * Math.PI);
};
