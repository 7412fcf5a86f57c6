/** A colour that the tile has at its top and one it has at its foot. */
export interface Tint {
  readonly top: Colour;
  readonly foot: Colour;
}

type Colour = readonly [red: number, green: number, blue: number];

/** Waves that go out from a point to both sides. Lengths are parts of the tile's side. */
const DOT_RADIUS = 0.075;
const ARCS = [
  { radius: 0.17, opacity: 1 },
  { radius: 0.265, opacity: 0.78 },
  { radius: 0.36, opacity: 0.5 },
];
const STROKE = 0.048;
const HALF_ANGLE = (50 * Math.PI) / 180;
const CAP = { x: Math.cos(HALF_ANGLE), y: Math.sin(HALF_ANGLE) };
/** A light behind the mark, as if it shone. */
const GLOW = 0.16;

/** The mark on a tile, red, green and blue in turn. */
export function drawMark(size: number, { top, foot }: Tint): Uint8Array {
  const quarter = drawQuarter(size);
  const half = Math.ceil(size / 2);
  const rgb = new Uint8Array(size * size * 3);
  let at = 0;
  for (let row = 0; row < size; row++) {
    const tile = top.map((channel, index) => mix(channel, foot[index]!, row / (size - 1)));
    const line = Math.min(row, size - 1 - row) * half;
    for (let column = 0; column < size; column++) {
      const light = quarter[line + Math.min(column, size - 1 - column)]!;
      for (let channel = 0; channel < 3; channel++) rgb[at++] = Math.round(mix(tile[channel]!, 255, light));
    }
  }
  return rgb;
}

/** The light in the upper left quarter: the mark is the same left and right, above and below. */
function drawQuarter(size: number): Float64Array {
  const half = Math.ceil(size / 2);
  const quarter = new Float64Array(half * half);
  for (let row = 0; row < half; row++) {
    for (let column = 0; column < half; column++) {
      const [x, y] = [0.5 - (column + 0.5) / size, 0.5 - (row + 0.5) / size];
      quarter[row * half + column] = lightAt(x, y, size);
    }
  }
  return quarter;
}

const mix = (from: number, to: number, part: number): number => from + (to - from) * part;

/** How white a point is: 0 the tile, 1 the mark. */
function lightAt(x: number, y: number, size: number): number {
  const distance = lengthOf(x, y);
  const glow = GLOW * Math.max(0, 1 - distance / 0.5) ** 2;
  let light = Math.max(glow, coverage(distance - DOT_RADIUS, size));
  for (const { radius, opacity } of ARCS) {
    const cover = coverage(distanceToArc(x, y, distance, radius) - STROKE / 2, size);
    light = Math.max(light, cover * opacity);
  }
  return light;
}

function distanceToArc(x: number, y: number, distance: number, radius: number): number {
  const isWithin = y * CAP.x <= x * CAP.y;
  return isWithin ? Math.abs(distance - radius) : lengthOf(x - radius * CAP.x, y - radius * CAP.y);
}

/** `Math.hypot` guards against numbers that are not met here, and takes its time for it. */
const lengthOf = (x: number, y: number): number => Math.sqrt(x * x + y * y);

/** How much of a pixel lies inside an edge that is this far away; smooth over one pixel. */
const coverage = (distance: number, size: number): number => Math.min(1, Math.max(0, 0.5 - distance * size));
