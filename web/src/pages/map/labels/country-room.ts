import type { WorldPoint } from '../view/world.ts';

/** Where the name of a country is written, in the middle of which, and how wide the country is there. */
export interface Room extends WorldPoint {
  width: number;
}

/** x and y in turn, 0 to 1 as in the world. */
type Outline = readonly number[];

/** Between the northern and the southern end of a country. */
const ROWS = 15;

/** The best place for a name in the outline that has this point in it; undefined where none has. */
export function roomAround(outlines: readonly Outline[], { x, y }: WorldPoint): Room | undefined {
  const around = outlines.find((outline) =>
    crossings(outline, y).some(([west, east]) => isIn(x, west, east)),
  );
  if (!around) return undefined;
  const [north, south] = endsOf(around);
  let best: Room | undefined;
  let most = 0;
  for (let row = 1; row < ROWS; row++) {
    const height = north + ((south - north) * row) / ROWS;
    // The middle is what looks right; the ends have to be much wider.
    const worth = 1 - 1.2 * Math.abs(row / ROWS - 0.5);
    for (const [west, east] of crossings(around, height)) {
      const width = east - west;
      if (width * worth <= most) continue;
      most = width * worth;
      best = { x: (west + east) / 2, y: height, width };
    }
  }
  return best;
}

/** An outline over the date line reaches beyond the world. */
const isIn = (x: number, west: number, east: number): boolean =>
  (x >= west && x <= east) || (x + 1 >= west && x + 1 <= east);

/** The parts of a parallel that are within an outline, from west to east. */
function crossings(outline: Outline, y: number): [west: number, east: number][] {
  const found: number[] = [];
  let [lastX, lastY] = [outline.at(-2) ?? 0, outline.at(-1) ?? 0];
  for (let at = 0; at < outline.length; at += 2) {
    const [x, thisY] = [outline[at]!, outline[at + 1]!];
    if (lastY > y !== thisY > y) found.push(lastX + ((y - lastY) / (thisY - lastY)) * (x - lastX));
    [lastX, lastY] = [x, thisY];
  }
  found.sort((one, other) => one - other);
  const parts: [number, number][] = [];
  for (let at = 0; at + 1 < found.length; at += 2) parts.push([found[at]!, found[at + 1]!]);
  return parts;
}

function endsOf(outline: Outline): [north: number, south: number] {
  let [north, south] = [1, 0];
  for (let at = 1; at < outline.length; at += 2) {
    north = Math.min(north, outline[at]!);
    south = Math.max(south, outline[at]!);
  }
  return [north, south];
}
