import { hash } from 'node:crypto';
import type { DirectoryStation, Snapshot } from '../../../../core/directory/snapshot/snapshot.ts';
import { forEachYielding } from '../../../../lib/clock.ts';
import type { SiteAnswer, SiteCall } from '../../session/site-endpoint.ts';
import type { SiteApiContext } from '../deps.ts';
import { mapLabels } from './map-labels.ts';

const MAX_AGE_SECONDS = 300;

/** All responses for one snapshot, created on the first request and cached with the snapshot. */
interface PackedMap {
  points: SiteAnswer;
  names: SiteAnswer;
  labels: SiteAnswer;
}

const packed = new WeakMap<Snapshot, Promise<PackedMap>>();

/** The positions of the stations. */
export const showMap = async (_call: SiteCall, { directory }: SiteApiContext): Promise<SiteAnswer> =>
  (await mapOf(directory.current())).points;

/** The stations' names; separate, so that points can be drawn before the names arrive. */
export const showMapNames = async (_call: SiteCall, { directory }: SiteApiContext): Promise<SiteAnswer> =>
  (await mapOf(directory.current())).names;

/** Countries and towns, for the lettering; separate, so that a map is drawn before it is lettered. */
export const showMapLabels = async (_call: SiteCall, { directory }: SiteApiContext): Promise<SiteAnswer> =>
  (await mapOf(directory.current())).labels;

const mapOf = (snapshot: Snapshot): Promise<PackedMap> => packed.getOrInsertComputed(snapshot, pack);

async function pack(snapshot: Snapshot): Promise<PackedMap> {
  const { version } = snapshot;
  const { points, names } = await mapColumns(snapshot);
  const labels = await mapLabels(snapshot);
  return {
    points: answerOf({ version, points }),
    names: answerOf({ version, names }),
    labels: answerOf({ version, labels }),
  };
}

function answerOf(json: object): SiteAnswer {
  const bytes = Buffer.from(JSON.stringify(json));
  return {
    file: { bytes, contentType: 'application/json; charset=utf-8' },
    etag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`,
    maxAgeSeconds: MAX_AGE_SECONDS,
    isForAll: true,
  };
}

/** Station positions as parallel columns, the most popular first. */
interface MapPoints {
  /** In thousandths of a degree, about a hundred metres: finer than a point can be seen. */
  lat: number[];
  lon: number[];
  /** The number of the guide ID. */
  id: number[];
  popularity: number[];
}

/** The names of the points, in the same order. */
interface MapNames {
  name: string[];
  /** Towns with their country, without duplicates. */
  places: string[];
  /** Index into `places`; -1 for a place without a name. */
  place: number[];
}

/** Units per degree, so that columns hold whole numbers. */
const DEGREE = 1000;
/** More points do not improve the map; the least popular are left out. */
const MAX_POINTS = 100_000;

export interface MapColumns {
  points: MapPoints;
  names: MapNames;
}

/** Only stations with their own coordinates: those known by country alone would all pile up on one point. */
export async function mapColumns(
  { stations }: Pick<Snapshot, 'stations'>,
  most = MAX_POINTS,
): Promise<MapColumns> {
  const points: MapPoints = { lat: [], lon: [], id: [], popularity: [] };
  const names: MapNames = { name: [], places: [], place: [] };
  const placeNumbers = new Map<string, number>();
  await forEachYielding(stations, (station) => {
    if (!station.coordinate || points.id.length >= most) return;
    points.lat.push(Math.round(station.coordinate.latitude * DEGREE));
    points.lon.push(Math.round(station.coordinate.longitude * DEGREE));
    points.id.push(station.id);
    points.popularity.push(station.popularity);
    names.name.push(station.name);
    names.place.push(placeNumber(station, placeNumbers));
  });
  names.places = [...placeNumbers.keys()];
  return { points, names };
}

function placeNumber({ placeName }: DirectoryStation, numbers: Map<string, number>): number {
  if (placeName === undefined) return -1;
  const known = numbers.get(placeName);
  if (known !== undefined) return known;
  numbers.set(placeName, numbers.size);
  return numbers.size - 1;
}
