import { type GeoContext, geoMercator, geoPath } from 'd3-geo';
import type { Geometry, MultiLineString, MultiPolygon, Polygon } from 'geojson';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

export type Atlas = Topology<{ countries: GeometryCollection }>;

/** A part of the drawing that is skipped where it is out of view. Its path is in units of `LAND_UNITS`. */
export interface Piece {
  path: Path2D;
  /** Bounds, 0 to 1 as in the world. */
  west: number;
  east: number;
  north: number;
  south: number;
}

export interface Land {
  countries: readonly Piece[];
  /** Coasts and borders, each once. */
  lines: readonly Piece[];
}

/** The width of the world in the paths: large enough that rounding in a browser's path loses nothing of a coast. */
export const LAND_UNITS = 4096;
/** Small pieces are merged with their neighbours: this many cells on each side of the world. */
const FIELDS = 12;

const projection = geoMercator()
  .scale(LAND_UNITS / (2 * Math.PI))
  .translate([LAND_UNITS / 2, LAND_UNITS / 2])
  // Between two corners of a coast, a straight line is as good as a projected curve.
  .precision(0);

/** The atlas as paths that can be drawn at any zoom; projecting is the expensive part, and is done once. */
export function drawLand(atlas: Atlas, newPath: () => Path2D = () => new Path2D()): Land {
  const { countries } = atlas.objects;
  const polygons = feature(atlas, countries).features.flatMap(({ geometry }) => polygonsOf(geometry));
  const lines = linesOf(mesh(atlas, countries));
  return { countries: gather(polygons, newPath), lines: gather(lines, newPath) };
}

const polygonsOf = (geometry: Geometry): Polygon[] => {
  if (geometry.type === 'Polygon') return [geometry];
  return geometry.type === 'MultiPolygon' ? split(geometry) : [];
};

const split = ({ coordinates }: MultiPolygon): Polygon[] =>
  coordinates.map((each) => ({ type: 'Polygon', coordinates: each }));

const linesOf = ({ coordinates }: MultiLineString): Geometry[] =>
  coordinates.map((each) => ({ type: 'LineString', coordinates: each }));

function gather(geometries: readonly Geometry[], newPath: () => Path2D): Piece[] {
  const pieces = new Map<string, Piece>();
  const measure = geoPath(projection);
  for (const [at, geometry] of geometries.entries()) {
    const [[left, top], [right, bottom]] = measure.bounds(geometry);
    // A shape outside the square of the world has no bounds there.
    if (!(right >= left)) continue;
    const [west, north] = [left / LAND_UNITS, top / LAND_UNITS];
    const [east, south] = [right / LAND_UNITS, bottom / LAND_UNITS];
    const key = fieldOf(west, north, east, south) ?? `alone ${at}`;
    const piece = pieces.get(key) ?? { path: newPath(), west, east, north, south };
    geoPath(projection, penOf(piece.path))(geometry);
    widen(piece, west, north, east, south);
    pieces.set(key, piece);
  }
  return [...pieces.values()];
}

/** A new path has already begun. */
const penOf = (path: Path2D): GeoContext => ({
  beginPath: () => {},
  moveTo: (x, y) => path.moveTo(x, y),
  lineTo: (x, y) => path.lineTo(x, y),
  arc: (...args) => path.arc(...args),
  closePath: () => path.closePath(),
});

type Box = [west: number, north: number, east: number, south: number];

function fieldOf(...[west, north, east, south]: Box): string | undefined {
  if (east - west > 1 / FIELDS || south - north > 1 / FIELDS) return undefined;
  return `${Math.floor(west * FIELDS)} ${Math.floor(north * FIELDS)}`;
}

function widen(piece: Piece, ...[west, north, east, south]: Box): void {
  piece.west = Math.min(piece.west, west);
  piece.east = Math.max(piece.east, east);
  piece.north = Math.min(piece.north, north);
  piece.south = Math.max(piece.south, south);
}
