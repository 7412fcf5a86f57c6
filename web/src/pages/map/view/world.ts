/** The Mercator projection as one square: x from the date line eastwards, y from north to south, both 0 to 1. */
export interface WorldPoint {
  x: number;
  y: number;
}

/** The latitude at the edge of the square. */
const MAX_NORTH = 85.051129;

export function worldPoint(longitude: number, latitude: number): WorldPoint {
  const bound = Math.min(MAX_NORTH, Math.max(-MAX_NORTH, latitude));
  const sine = Math.sin((bound * Math.PI) / 180);
  return { x: (longitude + 180) / 360, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

export const longitudeOf = (x: number): number => x * 360 - 180;

export const latitudeOf = (y: number): number =>
  (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI;

/** The distance from one x to another, the shorter way round the world: -0.5 to 0.5. */
export function eastward(from: number, to: number): number {
  const way = to - from;
  return way - Math.floor(way + 0.5);
}
