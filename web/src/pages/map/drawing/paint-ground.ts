import type { Colours } from './colours.ts';
import { type Glow, coreRadius, glowRadius } from './glow.ts';
import { LAND_UNITS, type Land, type Piece } from '../land/land.ts';
import type { Mark } from './marks.ts';
import { type ScreenPoint, type Size, type View, scaleOf, screenPoint } from '../view/view.ts';

/** The static layer, which changes only with the view. */
export interface Ground {
  view: View;
  size: Size;
  /** Device pixels per CSS pixel. */
  density: number;
  land: Land | undefined;
  marks: readonly Mark[];
  colours: Colours;
  glow: Glow;
  /** Names of places; undefined until they have loaded. */
  paintLabels: PaintLabels | undefined;
}

type Brush = CanvasRenderingContext2D;

/** Letters a map that is painted. */
export type PaintLabels = (brush: Brush, ground: Ground) => void;

export function paintGround(brush: Brush, ground: Ground): void {
  const { density, size, colours } = ground;
  brush.setTransform(density, 0, 0, density, 0, 0);
  brush.fillStyle = colours.sea;
  brush.fillRect(0, 0, size.width, size.height);
  if (ground.land) paintLand(brush, ground, ground.land);
  brush.setTransform(density, 0, 0, density, 0, 0);
  paintMarks(brush, ground);
  ground.paintLabels?.(brush, ground);
}

function paintLand(brush: Brush, { view, size, density, colours }: Ground, { countries, lines }: Land): void {
  const scale = scaleOf(view.zoom);
  const unit = (density * scale) / LAND_UNITS;
  const [halfWidth, halfHeight] = [size.width / 2 / scale, size.height / 2 / scale];
  brush.fillStyle = colours.land;
  brush.strokeStyle = colours.line;
  brush.lineJoin = 'round';
  brush.lineWidth = (view.zoom > 4 ? 1 : 0.75) * (LAND_UNITS / scale);
  // The world repeats to the east and west.
  for (const turn of [-1, 0, 1]) {
    const x = view.x - turn;
    const isSeen = ({ west, east, north, south }: Piece): boolean =>
      west <= x + halfWidth &&
      east >= x - halfWidth &&
      north <= view.y + halfHeight &&
      south >= view.y - halfHeight;
    const left = density * (size.width / 2 - x * scale);
    brush.setTransform(unit, 0, 0, unit, left, density * (size.height / 2 - view.y * scale));
    for (const piece of countries) if (isSeen(piece)) brush.fill(piece.path);
    for (const piece of lines) if (isSeen(piece)) brush.stroke(piece.path);
  }
}

function paintMarks(brush: Brush, { view, size, density, marks, colours, glow }: Ground): void {
  const points = marks.flatMap((mark) => everyTurn(view, size, mark));
  // On black, light adds up; on paper it would only bleach.
  brush.globalCompositeOperation = colours.isDark ? 'lighter' : 'source-over';
  // In device pixels: unscaled copies are many times as fast.
  brush.setTransform(1, 0, 0, 1, 0, 0);
  for (const { count, left, top } of points) {
    const radius = Math.round(glowRadius(count, view.zoom) * density);
    const [x, y] = [Math.round(left * density) - radius, Math.round(top * density) - radius];
    brush.drawImage(glow.ofRadius(radius), x, y);
  }
  brush.setTransform(density, 0, 0, density, 0, 0);
  brush.globalCompositeOperation = 'source-over';
  brush.fillStyle = colours.core;
  brush.beginPath();
  for (const { count, left, top } of points) addDot(brush, left, top, coreRadius(count, view.zoom));
  brush.fill();
}

const MAX_GLOW_PIXELS = 80;

/** A view wider than the world shows the same mark in the east and west. */
function everyTurn(view: View, size: Size, mark: Mark): (ScreenPoint & { count: number })[] {
  const { left, top } = screenPoint(view, size, mark);
  const world = scaleOf(view.zoom);
  return [left - world, left, left + world]
    .filter((at) => at > -MAX_GLOW_PIXELS && at < size.width + MAX_GLOW_PIXELS)
    .map((at) => ({ left: at, top, count: mark.count }));
}

function addDot(brush: Brush, left: number, top: number, radius: number): void {
  brush.moveTo(left + radius, top);
  brush.arc(left, top, radius, 0, 2 * Math.PI);
}
