import { worldPoint } from './view/world.ts';

/** As sent by the server: in columns, the most popular first. */
export interface PackedPoints {
  /** In thousandths of a degree. */
  lat: readonly number[];
  lon: readonly number[];
  id: readonly number[];
}

/** Places with stations; more than half of the stations share theirs with another. */
export interface PointList {
  readonly count: number;
  readonly longitude: Float64Array;
  readonly latitude: Float64Array;
  /** Where a place's stations start in `stations`; they end where the next one's start. */
  readonly starts: Int32Array;
  /** Numbers of stations, those of one place side by side, the most popular first. */
  readonly stations: Int32Array;
}

/** The stations by number: 0 is the most popular. Columns instead of 30,000 objects. */
export interface Points {
  readonly count: number;
  readonly ids: Int32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly siteOf: Int32Array;
  readonly sites: PointList;
}

export function readPoints({ lat, lon, id }: PackedPoints): Points {
  const count = id.length;
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    const point = worldPoint(lon[at]! / 1000, lat[at]! / 1000);
    x[at] = point.x;
    y[at] = point.y;
  }
  const { siteOf, firsts } = numberSites(lat, lon);
  const sites = {
    count: firsts.length,
    longitude: Float64Array.from(firsts, (at) => lon[at]! / 1000),
    latitude: Float64Array.from(firsts, (at) => lat[at]! / 1000),
    ...sortBySite(siteOf, firsts.length),
  };
  return { count, ids: Int32Array.from(id), x, y, siteOf, sites };
}

function numberSites(
  lat: readonly number[],
  lon: readonly number[],
): { siteOf: Int32Array; firsts: number[] } {
  const numbers = new Map<number, number>();
  const firsts: number[] = [];
  const siteOf = Int32Array.from(lat, (latitude, at) => {
    const key = latitude * 1_000_000 + lon[at]!;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, firsts.length);
    return firsts.push(at) - 1;
  });
  return { siteOf, firsts };
}

function sortBySite(siteOf: Int32Array, count: number): Pick<PointList, 'starts' | 'stations'> {
  const starts = new Int32Array(count + 1);
  for (const site of siteOf) starts[site + 1]! += 1;
  for (let site = 0; site < count; site++) starts[site + 1]! += starts[site]!;
  const next = starts.slice();
  const stations = new Int32Array(siteOf.length);
  for (const [at, site] of siteOf.entries()) stations[next[site]!++] = at;
  return { starts, stations };
}

export const stationsAt = ({ starts, stations }: PointList, site: number): Int32Array =>
  stations.subarray(starts[site], starts[site + 1]);
