import { inTurns } from '../directory/in-turns.ts';
import type { DirectoryStation, Snapshot } from '../directory/snapshot.ts';

/** Where the stations are, a column each, the most popular first; a station has the same place in every column. */
interface MapPoints {
  /** In thousandths of a degree, a hundred metres: as well as a point can be seen. */
  lat: number[];
  lon: number[];
  /** The number of its guide ID. */
  id: number[];
  popularity: number[];
}

/** What the points are called, in their order. */
interface MapNames {
  name: string[];
  /** Towns with their country, each once. */
  places: string[];
  /** The station's among `places`; -1 where that has no name. */
  place: number[];
}

/** A degree in the columns, so that they hold whole numbers. */
export const DEGREE = 1000;
/** More than this draws no better; those beyond it are the least popular. */
export const MOST_POINTS = 100_000;

export interface MapColumns {
  points: MapPoints;
  names: MapNames;
}

/** Stations whose own coordinate is known: that of their country alone would pile thousands on one field. */
export async function mapColumns(
  { stations }: Pick<Snapshot, 'stations'>,
  most = MOST_POINTS,
): Promise<MapColumns> {
  const points: MapPoints = { lat: [], lon: [], id: [], popularity: [] };
  const names: MapNames = { name: [], places: [], place: [] };
  const placeNumbers = new Map<string, number>();
  await inTurns(stations, (station) => {
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
