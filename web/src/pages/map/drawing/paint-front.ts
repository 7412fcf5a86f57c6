import type { Colours } from './colours.ts';
import { coreRadius } from './glow.ts';
import type { Mark } from './marks.ts';
import { type ScreenPoint, type Size, type View, scaleOf, screenPoint } from '../view/view.ts';
import { longitudeOf } from '../view/world.ts';

/** The layer above the ground, which changes with the listener's input. */
export interface Front {
  view: View;
  size: Size;
  colours: Colours;
  /** The mark under the pointer. */
  pointed: Mark | undefined;
  /** The needle's position, as x of the world. */
  needle: number | undefined;
  /** Whether the middle is marked, for keyboard users. */
  hasCross: boolean;
}

type Brush = CanvasRenderingContext2D;

export function paintFront(brush: Brush, front: Front): void {
  const { view, size, colours, pointed } = front;
  paintScale(brush, front);
  if (pointed)
    paintRing(brush, screenPoint(view, size, pointed), coreRadius(pointed.count, view.zoom) + 5, colours.ink);
  if (front.needle !== undefined) paintNeedle(brush, front, front.needle);
  if (front.hasCross) paintCross(brush, front);
}

function paintRing(brush: Brush, { left, top }: ScreenPoint, radius: number, colour: string): void {
  brush.strokeStyle = colour;
  brush.lineWidth = 1.5;
  brush.beginPath();
  brush.arc(left, top, radius, 0, 2 * Math.PI);
  brush.stroke();
}

/** The scale of a dial along the lower edge: degrees of longitude, as fine as there is room for. */
function paintScale(brush: Brush, { view, size, colours }: Front): void {
  const degree = scaleOf(view.zoom) / 360;
  const step = SCALE_STEPS.find((degrees) => degrees * degree >= SCALE_PIXELS) ?? 10;
  const middle = longitudeOf(view.x);
  const half = size.width / 2 / degree;
  brush.fillStyle = colours.tick;
  for (let at = Math.ceil((middle - half) / step); at * step <= middle + half; at++) {
    const left = size.width / 2 + (at * step - middle) * degree;
    const height = at % 5 === 0 ? 11 : 6;
    brush.fillRect(Math.round(left), size.height - height, 1, height);
  }
}

const SCALE_STEPS = [0.01, 0.02, 0.1, 0.2, 1, 2, 10];
const SCALE_PIXELS = 7;

/** As on a dial, at the longitude of the station that plays. */
function paintNeedle(brush: Brush, { view, size, colours }: Front, x: number): void {
  const { left } = screenPoint(view, size, { x, y: view.y });
  brush.fillStyle = colours.amber;
  brush.fillRect(left - 1, 0, 2, size.height);
}

const CROSS_PIXELS = 9;

function paintCross(brush: Brush, { size, colours }: Front): void {
  const [left, top] = [size.width / 2, size.height / 2];
  brush.strokeStyle = colours.ink;
  brush.lineWidth = 1.5;
  brush.beginPath();
  for (const [right, down] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const) {
    brush.moveTo(left + right * 3, top + down * 3);
    brush.lineTo(left + right * CROSS_PIXELS, top + down * CROSS_PIXELS);
  }
  brush.stroke();
}
