import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { type Atlas, LAND_UNITS, type Piece, drawLand } from './land.ts';
import { worldPoint } from '../view/world.ts';

/** Writes down what is drawn: browsers alone have paths. */
class Trace {
  readonly points: [number, number][] = [];
  /** From left to right, of every straight line. */
  readonly widths: number[] = [];
  moveTo(x: number, y: number): void {
    this.points.push([x, y]);
  }
  lineTo(x: number, y: number): void {
    this.widths.push(Math.abs(x - (this.points.at(-1)?.[0] ?? x)));
    this.points.push([x, y]);
  }
  closePath(): void {}
}

const file = createRequire(import.meta.url).resolve('world-atlas/countries-110m.json');
const atlas: Atlas = JSON.parse(readFileSync(file, 'utf8'));
const traces = new Map<unknown, Trace>();
const land = drawLand(atlas, () => {
  const trace = new Trace();
  traces.set(trace, trace);
  // oxlint-disable-next-line no-unsafe-type-assertion -- of a path only what draws is used
  return trace as unknown as Path2D;
});

const pointsOf = ({ path }: Piece): [number, number][] => traces.get(path)?.points ?? [];

test('every piece holds what is drawn of it, so that none is left out while it can be seen', () => {
  assert.ok(land.countries.length > 30 && land.lines.length > 20);
  const drawn = [...land.countries, ...land.lines].flatMap((piece) =>
    pointsOf(piece).map(([x, y]) => ({ piece, x: x / LAND_UNITS, y: y / LAND_UNITS })),
  );
  assert.ok(drawn.length > 5000);
  for (const { piece, x, y } of drawn) {
    assert.ok(x >= piece.west - 1e-9 && x <= piece.east + 1e-9);
    assert.ok(y >= piece.north - 1e-9 && y <= piece.south + 1e-9);
  }
});

test('the coasts stand where the stations do', () => {
  // The southern tip of Africa, which the atlas has within half a degree.
  const cape = worldPoint(20, -34.82);
  const distances = land.lines
    .flatMap(pointsOf)
    .map(([x, y]) => Math.hypot(x / LAND_UNITS - cape.x, y / LAND_UNITS - cape.y));
  assert.ok(Math.min(...distances) < 1.5 / 360, String(Math.min(...distances) * 360));
});

test('what crosses the date line goes on beyond it, and no line runs back across the world', () => {
  const widths = land.lines.flatMap(({ path }) => traces.get(path)?.widths ?? []);
  assert.ok(widths.length > 5000 && widths.every((width) => width < LAND_UNITS / 20));
  const chukotka = worldPoint(-170, 66).x + 1;
  const across = land.countries.filter(({ east }) => east > 1);
  assert.ok(across.some(({ west, east }) => west < 0.95 && Math.abs(east - chukotka) < 0.01));
  for (const { west } of land.countries) assert.ok(west >= 0 && west < 1);
});

test('Antarctica is all around the pole, down to the edge of the world', () => {
  const around = land.countries.filter(({ south }) => south > 0.999);
  assert.equal(around.length, 1);
  const [{ west, east } = assert.fail()] = around;
  assert.ok(Math.abs(east - west - 1) < 0.01, `${west} to ${east}`);
});
