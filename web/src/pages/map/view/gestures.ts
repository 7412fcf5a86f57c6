import type { Chart } from '../chart.ts';
import { type ScreenPoint, wholeWorld } from './view.ts';

/** A hand is never quite still; a shorter move is a click. */
const CLICK_PIXELS = 6;
const REACH = { mouse: 12, touch: 24 };
const KEY_REACH = 60;

/** Moves a chart by mouse, pen, fingers and wheel, until the returned function is called. */
export function attachGestures(canvas: HTMLCanvasElement, chart: Chart): () => void {
  const gestures = new Map<number, ScreenPoint>();
  let travelled = 0;
  const on = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => void,
    options?: AddEventListenerOptions,
  ): void => canvas.addEventListener(name, listener, { ...options, signal: ending.signal });
  const ending = new AbortController();

  on('pointerdown', (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    if (event.pointerType === 'touch') chart.point(undefined);
    if (gestures.size === 0) travelled = 0;
    gestures.set(event.pointerId, pointOf(event));
  });
  on('pointermove', (event) => {
    const before = gestures.get(event.pointerId);
    const now = pointOf(event);
    if (!before) {
      if (event.pointerType !== 'touch') chart.point(chart.markNear(now, REACH.mouse));
      return;
    }
    travelled += Math.hypot(now.left - before.left, now.top - before.top);
    if (travelled < CLICK_PIXELS) return;
    chart.point(undefined);
    const others = [...gestures].filter(([id]) => id !== event.pointerId);
    const still = others[0]?.[1];
    if (still) pinch(chart, still, before, now);
    else chart.pan(now.left - before.left, now.top - before.top);
    gestures.set(event.pointerId, now);
  });
  on('pointerup', (event) => {
    const isLast = gestures.delete(event.pointerId) && gestures.size === 0;
    if (!isLast || travelled >= CLICK_PIXELS) return;
    const mark = chart.markNear(pointOf(event), event.pointerType === 'mouse' ? REACH.mouse : REACH.touch);
    if (!mark) return;
    chart.choose(mark);
    // A finger cannot hover: what it chose is shown, until it touches something else.
    if (event.pointerType === 'touch' && mark.site !== undefined) chart.point(mark);
  });
  on('pointercancel', (event) => gestures.delete(event.pointerId));
  on('pointerleave', (event) => {
    if (event.pointerType !== 'touch') chart.point(undefined);
  });
  on('dblclick', (event) => {
    if (!chart.markNear(pointOf(event), REACH.mouse)) chart.zoomAt(pointOf(event), 1);
  });
  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    chart.point(undefined);
    chart.zoomAt(pointOf(event), wheelSteps(event));
  };
  on('wheel', wheel, { passive: false });
  return () => ending.abort();
}

const pointOf = ({ offsetX, offsetY }: MouseEvent): ScreenPoint => ({ left: offsetX, top: offsetY });

/** One wheel notch is a hundred pixels or three lines; a pinch on a touchpad arrives as a wheel event with Control. */
function wheelSteps({ deltaY, deltaMode, ctrlKey }: WheelEvent): number {
  const pixels = deltaMode === WheelEvent.DOM_DELTA_LINE ? deltaY * 33 : deltaY;
  return Math.max(-1, Math.min(1, -pixels / (ctrlKey ? 60 : 240)));
}

/** Two fingers: their distance sets the zoom, and the point between them stays where it is. */
function pinch(chart: Chart, still: ScreenPoint, before: ScreenPoint, now: ScreenPoint): void {
  const [was, is] = [before, now].map((hand) => Math.hypot(hand.left - still.left, hand.top - still.top));
  chart.pan((now.left - before.left) / 2, (now.top - before.top) / 2);
  if (!was || !is) return;
  chart.zoomAt({ left: (now.left + still.left) / 2, top: (now.top + still.top) / 2 }, Math.log2(is / was));
}

const KEY_PAN_PIXELS = 96;
const PANS: Readonly<Record<string, [right: number, down: number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
const ZOOMS: Readonly<Record<string, number>> = { '+': 1, '=': 1, '-': -1, _: -1 };

/** Applies a key to a chart; returns whether it did something. */
export function pressKey(chart: Chart, key: string): boolean {
  const { width, height } = chart.size;
  const middle = { left: width / 2, top: height / 2 };
  const pan = Object.hasOwn(PANS, key) ? PANS[key] : undefined;
  const steps = Object.hasOwn(ZOOMS, key) ? ZOOMS[key] : undefined;
  if (pan) chart.pan(pan[0] * KEY_PAN_PIXELS, pan[1] * KEY_PAN_PIXELS);
  else if (steps !== undefined) chart.glideTo({ ...chart.aim, zoom: chart.aim.zoom + steps });
  else if (key === 'Home' || key === '0') chart.glideTo(wholeWorld(chart.size));
  else if (key === 'Enter' || key === ' ') {
    const mark = chart.markNear(middle, KEY_REACH);
    if (mark) chart.choose(mark);
  } else return false;
  return true;
}

/** Selects the mark nearest to the middle, for keyboard users. */
export function pointAtMiddle(chart: Chart): void {
  const { width, height } = chart.size;
  chart.point(chart.markNear({ left: width / 2, top: height / 2 }, KEY_REACH));
}
