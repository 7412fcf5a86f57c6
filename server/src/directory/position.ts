import type { Coordinate } from '../lib/geo.ts';

export type Position = readonly [x: number, y: number, z: number];

/** On the unit sphere, where the nearer point has the shorter straight line: no trigonometry while searching. */
export function positionOf({ longitude, latitude }: Coordinate): Position {
  const east = (longitude * Math.PI) / 180;
  const north = (latitude * Math.PI) / 180;
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}
