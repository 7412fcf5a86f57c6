/** A letter's outline as an SVG path and its bounding box, in units of 1/320 em. */
export interface Glyph {
  advance: number;
  path: string;
  box: Box;
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Point {
  x: number;
  y: number;
  isOn: boolean;
}

/** Unpacks a glyph. The y axis points down, as in SVG and unlike in fonts. */
export function pathOf(bytes: Buffer, start: number): Glyph {
  const next = numbers(bytes, start);
  const advance = next();
  const contours: Point[][] = [];
  let [x, y] = [0, 0];
  for (let left = next(); left > 0; left -= 1) {
    const contour: Point[] = [];
    for (let points = next(); points > 0; points -= 1) {
      const step = next();
      x += signed(step >> 1);
      y -= signed(next());
      contour.push({ x, y, isOn: (step & 1) === 1 });
    }
    contours.push(contour);
  }
  const all = contours.flat();
  const [xs, ys] = [all.map((point) => point.x), all.map((point) => point.y)];
  const box = {
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
  };
  return { advance, box, path: contours.map(contourPath).join('') };
}

/** Reads variable-length numbers with seven bits per byte. */
function numbers(bytes: Buffer, start: number): () => number {
  let at = start;
  return () => {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    return value;
  };
}

const signed = (value: number): number => (value % 2 === 1 ? -(value + 1) / 2 : value / 2);

/**
 * A closed contour of lines and quadratic curves; between two control points the curve passes through their midpoint.
 */
function contourPath(contour: readonly Point[]): string {
  const at = (n: number): Point => contour[n % contour.length] ?? { x: 0, y: 0, isOn: true };
  const first = Math.max(
    0,
    contour.findIndex(({ isOn }) => isOn),
  );
  const start = at(first).isOn ? at(first) : middleOf(at(0), at(1));
  let path = `M${start.x} ${start.y}`;
  for (let n = first + 1; n <= first + contour.length; n += 1) {
    const point = at(n);
    if (point.isOn) path += `L${point.x} ${point.y}`;
    else {
      const end = at(n + 1).isOn ? at(n + 1) : middleOf(point, at(n + 1));
      path += `Q${point.x} ${point.y} ${end.x} ${end.y}`;
      if (at(n + 1).isOn) n += 1;
    }
  }
  return `${path}Z`;
}

const middleOf = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, isOn: true });
