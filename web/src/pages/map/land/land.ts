import { worldPoint } from '../view/world.ts';

/** Lines of arcs by number; a negative one is an arc backwards: -1 is the first. */
type Ring = readonly number[];
type Country =
  | { type: 'Polygon'; arcs: readonly Ring[] }
  | { type: 'MultiPolygon'; arcs: readonly (readonly Ring[])[] };

/** The part of a TopoJSON file that is drawn. Borders and coasts are there once, as arcs that countries share. */
export interface Atlas {
  transform: { scale: readonly [number, number]; translate: readonly [number, number] };
  /** Each point as the way from the one before. */
  arcs: readonly (readonly (readonly [number, number])[])[];
  objects: { countries: { geometries: readonly Country[] } };
}

/** A part of the drawing that is skipped where it is out of view. Its path is in units of `LAND_UNITS`. */
export interface Piece {
  path: Path2D;
  /** Bounds as in the world; what crosses the date line reaches beyond 1. */
  west: number;
  east: number;
  north: number;
  south: number;
}

export interface Land {
  countries: readonly Piece[];
  /** Coasts and borders, each once. */
  lines: readonly Piece[];
  /** Every island and mainland by itself: x and y in turn, as in the world. */
  outlines: readonly Line[];
}

/** The width of the world in the paths: large enough that rounding in a browser's path loses nothing of a coast. */
export const LAND_UNITS = 4096;
/** Small pieces are merged with their neighbours: this many cells on each side of the world. */
const FIELDS = 12;

/** x and y in turn, 0 to 1 as in the world. */
type Line = number[];

/** The atlas as paths that can be drawn at any zoom; projecting is the expensive part, and is done once. */
export function drawLand(atlas: Atlas, newPath: () => Path2D = () => new Path2D()): Land {
  const arcs = readArcs(atlas);
  const countries = atlas.objects.countries.geometries.flatMap((country) =>
    polygonsOf(country).map((rings) => rings.map((ring) => joinArcs(arcs, ring))),
  );
  const lines = arcs.map((arc) => [arc]);
  return {
    countries: gather(countries, true, newPath),
    lines: gather(lines, false, newPath),
    outlines: countries.map(([outline = []]) => outline),
  };
}

const polygonsOf = (country: Country): readonly (readonly Ring[])[] =>
  country.type === 'Polygon' ? [country.arcs] : country.arcs;

function readArcs({ transform: { scale, translate }, arcs }: Atlas): Line[] {
  return arcs.map((arc) => {
    const line: Line = [];
    let [right, up, turn, last] = [0, 0, 0, 0];
    for (const [eastward, northward] of arc) {
      right += eastward;
      up += northward;
      const { x, y } = worldPoint(right * scale[0] + translate[0], up * scale[1] + translate[1]);
      // A line over the date line goes on beyond the edge of the world, not back across all of it.
      if (line.length > 0) turn -= Math.round(x + turn - last);
      last = x + turn;
      line.push(last, y);
    }
    return line;
  });
}

/** A closed line of arcs, each without the point that it shares with the one before. */
function joinArcs(arcs: readonly Line[], ring: Ring): Line {
  const line: Line = [];
  for (const number of ring) {
    const arc = number < 0 ? backwards(arcs[~number] ?? []) : (arcs[number] ?? []);
    const turn = line.length > 0 ? Math.round(line.at(-2)! - arc[0]!) : 0;
    for (let at = line.length > 0 ? 2 : 0; at < arc.length; at += 2) line.push(arc[at]! + turn, arc[at + 1]!);
  }
  const [x = 0, y = 0] = line;
  const end = line.at(-2) ?? x;
  // Once around a pole: Antarctica is closed along the edge of the world.
  if (Math.round(end - x) !== 0) line.push(end, y > 0.5 ? 1 : 0, x, y > 0.5 ? 1 : 0);
  return line;
}

function backwards(line: Line): Line {
  const turned: Line = [];
  for (let at = line.length - 2; at >= 0; at -= 2) turned.push(line[at]!, line[at + 1]!);
  return turned;
}

/** Each shape of one or more lines goes into the piece of its field, or is one of its own where it is large. */
function gather(shapes: readonly (readonly Line[])[], isClosed: boolean, newPath: () => Path2D): Piece[] {
  const pieces = new Map<string, Piece>();
  for (const [at, lines] of shapes.entries()) {
    const box = boxOf(lines.flat());
    // Pieces begin in the world itself, so that the same turns of it show them all.
    const turn = Math.floor(box.west);
    box.west -= turn;
    box.east -= turn;
    const key = fieldOf(box) ?? `alone ${at}`;
    const piece = pieces.get(key) ?? { path: newPath(), ...box };
    for (const line of lines) trace(piece.path, line, turn, isClosed);
    piece.west = Math.min(piece.west, box.west);
    piece.east = Math.max(piece.east, box.east);
    piece.north = Math.min(piece.north, box.north);
    piece.south = Math.max(piece.south, box.south);
    pieces.set(key, piece);
  }
  return [...pieces.values()];
}

type Box = Omit<Piece, 'path'>;

function boxOf(line: Line): Box {
  const box = { west: Infinity, east: -Infinity, north: Infinity, south: -Infinity };
  for (let at = 0; at < line.length; at += 2) {
    box.west = Math.min(box.west, line[at]!);
    box.east = Math.max(box.east, line[at]!);
    box.north = Math.min(box.north, line[at + 1]!);
    box.south = Math.max(box.south, line[at + 1]!);
  }
  return box;
}

function trace(path: Path2D, line: Line, turn: number, isClosed: boolean): void {
  for (let at = 0; at < line.length; at += 2) {
    const [x, y] = [(line[at]! - turn) * LAND_UNITS, line[at + 1]! * LAND_UNITS];
    if (at === 0) path.moveTo(x, y);
    else path.lineTo(x, y);
  }
  if (isClosed) path.closePath();
}

function fieldOf({ west, east, north, south }: Box): string | undefined {
  if (east - west > 1 / FIELDS || south - north > 1 / FIELDS) return undefined;
  return `${Math.floor(west * FIELDS)} ${Math.floor(north * FIELDS)}`;
}
