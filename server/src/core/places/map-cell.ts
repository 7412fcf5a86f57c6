import type { Coordinate } from '../../lib/geo.ts';

const CELLS_A_DEGREE = 4;

/**
 * The centre of a cell of about 25 km: near enough for a local selection, and everyone in the cell shares one cached
 * menu.
 */
export const cellAround = ({ latitude, longitude }: Coordinate): Coordinate => ({
  latitude: middleOfCell(latitude),
  longitude: middleOfCell(longitude),
});

const middleOfCell = (degrees: number): number =>
  (Math.min(Math.floor(degrees * CELLS_A_DEGREE), 180 * CELLS_A_DEGREE - 1) + 0.5) / CELLS_A_DEGREE;
