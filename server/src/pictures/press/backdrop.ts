/** Points of a picture: red, green, blue and alpha in turn. */
export interface Points {
  data: Buffer;
  width: number;
  height: number;
}

export interface Backdrop {
  colour: { r: number; g: number; b: number };
  /** Around the picture, as a part of the tile's side. */
  margin: number;
}

const WHITE = { r: 255, g: 255, b: 255 };
const NIGHT = { r: 27, g: 31, b: 39 };
const OPAQUE = 250;
/** So far apart may the edge's colours be to count as one. */
const ALIKE = 24;
/** How far a logo that has no background of its own stays from the edge of the tile. */
const AIR = 0.06;
/** A logo so light, of 255, is lost on white. */
const LIGHT = 205;

/**
 * What a picture is laid on to become an opaque square: the colour of its own edge where it has one, else white, or night
 * for a logo that is made for dark pages.
 */
export function backdropOf(points: Points): Backdrop {
  const edge = edgeOf(points);
  const seen = edge.filter(({ a }) => a >= OPAQUE);
  if (seen.length < 0.9 * edge.length)
    return { colour: lightnessOf(points) > LIGHT ? NIGHT : WHITE, margin: AIR };
  return { colour: meanOf(seen), margin: isOneColour(seen) || points.width === points.height ? 0 : AIR / 2 };
}

interface Point {
  r: number;
  g: number;
  b: number;
  a: number;
}

function pointAt({ data, width }: Points, x: number, y: number): Point {
  const at = (y * width + x) * 4;
  return { r: data[at] ?? 0, g: data[at + 1] ?? 0, b: data[at + 2] ?? 0, a: data[at + 3] ?? 0 };
}

function edgeOf(points: Points): Point[] {
  const { width, height } = points;
  const edge: Point[] = [];
  for (let x = 0; x < width; x += 1) edge.push(pointAt(points, x, 0), pointAt(points, x, height - 1));
  for (let y = 0; y < height; y += 1) edge.push(pointAt(points, 0, y), pointAt(points, width - 1, y));
  return edge;
}

function meanOf(edge: readonly Point[]): Backdrop['colour'] {
  const of = (channel: 'r' | 'g' | 'b'): number =>
    Math.round(edge.reduce((sum, point) => sum + point[channel], 0) / edge.length);
  return { r: of('r'), g: of('g'), b: of('b') };
}

function isOneColour(edge: readonly Point[]): boolean {
  const mean = meanOf(edge);
  const isNear = ({ r, g, b }: Point): boolean =>
    Math.max(Math.abs(r - mean.r), Math.abs(g - mean.g), Math.abs(b - mean.b)) <= ALIKE;
  return edge.filter(isNear).length >= 0.95 * edge.length;
}

/** Of what is to be seen, each point by how much of it is. */
function lightnessOf({ data }: Points): number {
  let [sum, weight] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] ?? 0;
    sum += alpha * (0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0));
    weight += alpha;
  }
  return weight === 0 ? 0 : sum / weight;
}
