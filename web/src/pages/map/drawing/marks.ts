import type { Points } from '../points.ts';
import { MAX_ZOOM, type Size, type View, WORLD_PIXELS, scaleOf } from '../view/view.ts';
import { type WorldPoint, eastward, worldPoint } from '../view/world.ts';

/** One light on the map: a place, or several that are too close to be told apart. */
export interface Mark extends WorldPoint {
  /** How many stations it stands for. */
  readonly count: number;
  /** The most popular of them. */
  readonly best: number;
  /** Undefined if it combines several places. */
  readonly site: number | undefined;
  /** The zoom at which it splits; undefined for a single place. */
  readonly splitsAt: number | undefined;
}

const NEAREST_PIXELS = 20;
/** Zoomed out, the world is clearer in many small lights than in few large ones. */
const FINER_BY = 0.9;

/** Collects the marks of a view. */
export class Marks {
  /** By level of zoom; at the last one every place is by itself. */
  readonly #levels: (readonly Mark[])[] = [];

  constructor(points: Points) {
    this.#levels[MAX_ZOOM] = sitesOf(points);
    for (let level = MAX_ZOOM - 1; level >= 0; level--)
      this.#levels[level] = merge(this.#levels[level + 1] ?? [], level);
  }

  within({ x, y, zoom }: View, { width, height }: Size): Mark[] {
    const [halfWidth, halfHeight] = [width / 2 / scaleOf(zoom), height / 2 / scaleOf(zoom)];
    const level = Math.min(MAX_ZOOM, Math.max(0, Math.round(zoom + FINER_BY)));
    return (this.#levels[level] ?? []).filter(
      (mark) => Math.abs(mark.y - y) <= halfHeight && Math.abs(eastward(x, mark.x)) <= halfWidth,
    );
  }
}

const sitesOf = ({ sites }: Points): Mark[] =>
  Array.from({ length: sites.count }, (_none, site) => ({
    ...worldPoint(sites.longitude[site]!, sites.latitude[site]!),
    site,
    count: sites.starts[site + 1]! - sites.starts[site]!,
    best: sites.stations[sites.starts[site]!]!,
    splitsAt: undefined,
  }));

/** The marks of a level from those of the next one: each takes in all that are too near to it there. */
function merge(marks: readonly Mark[], level: number): Mark[] {
  const reach = NEAREST_PIXELS / (WORLD_PIXELS * 2 ** level);
  const fields = new Fields(marks, reach);
  const merged: Mark[] = [];
  for (const [at, mark] of marks.entries()) {
    const near = fields.takeNear(at);
    if (near) merged.push(near.length === 1 ? mark : sumOf(near, level + 1));
  }
  return merged;
}

/** In the middle of its stations. */
function sumOf(marks: readonly Mark[], splitsAt: number): Mark {
  let [count, x, y, best] = [0, 0, 0, Infinity];
  for (const mark of marks) {
    count += mark.count;
    x += mark.x * mark.count;
    y += mark.y * mark.count;
    best = Math.min(best, mark.best);
  }
  return { x: x / count, y: y / count, count, best, site: undefined, splitsAt };
}

/** More than a world has columns of squares. */
const ROW = 2 ** 20;
const AROUND = [0, -1, 1, -ROW, ROW, -ROW - 1, -ROW + 1, ROW - 1, ROW + 1];

/**
 * Marks by where they are, in squares as wide as they reach. Those of a square are a chain of numbers: a list for each
 * of 30,000 would take longer than all the rest.
 */
class Fields {
  readonly #marks: readonly Mark[];
  readonly #reach: number;
  readonly #firsts = new Map<number, number>();
  readonly #nexts: Int32Array;
  readonly #isTaken: Uint8Array;

  constructor(marks: readonly Mark[], reach: number) {
    this.#marks = marks;
    this.#reach = reach;
    this.#nexts = new Int32Array(marks.length);
    this.#isTaken = new Uint8Array(marks.length);
    for (const [at, mark] of marks.entries()) {
      const field = this.#fieldOf(mark);
      this.#nexts[at] = this.#firsts.get(field) ?? -1;
      this.#firsts.set(field, at);
    }
  }

  /** A mark and those near it that are in no other; undefined if it is in another itself. */
  takeNear(at: number): Mark[] | undefined {
    const mark = this.#marks[at];
    if (!mark || this.#isTaken[at]) return undefined;
    const near: Mark[] = [];
    const field = this.#fieldOf(mark);
    for (const step of AROUND)
      for (let each = this.#firsts.get(field + step) ?? -1; each >= 0; each = this.#nexts[each]!) {
        const other = this.#marks[each]!;
        const [right, down] = [other.x - mark.x, other.y - mark.y];
        if (this.#isTaken[each] || right * right + down * down > this.#reach * this.#reach) continue;
        this.#isTaken[each] = 1;
        near.push(other);
      }
    return near;
  }

  #fieldOf({ x, y }: WorldPoint): number {
    return Math.floor(y / this.#reach) * ROW + Math.floor(x / this.#reach);
  }
}
