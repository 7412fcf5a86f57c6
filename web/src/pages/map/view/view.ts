import { type WorldPoint, eastward } from './world.ts';

/** The visible part of the world: its middle and its zoom. */
export interface View extends WorldPoint {
  zoom: number;
}

/** Of the canvas, in CSS pixels. */
export interface Size {
  width: number;
  height: number;
}

export interface ScreenPoint {
  left: number;
  top: number;
}

/** At zoom 0; each level doubles it. Clusters are counted in the same pixels. */
export const WORLD_PIXELS = 512;
/** A town fills the map then; no finer coasts are available. */
export const MAX_ZOOM = 9;
/** The inhabited part of the world's height, and its middle: beyond it is ice. */
const [LIVED_HEIGHT, LIVED_MIDDLE] = [0.66, 0.42];

export const scaleOf = (zoom: number): number => WORLD_PIXELS * 2 ** zoom;

/** The world is never drawn smaller than the map, so that no point appears twice and nothing lies beyond it. */
export const leastZoom = ({ width, height }: Size): number => zoomFor(Math.max(1, width, height));

const zoomFor = (pixels: number): number => Math.log2(pixels / WORLD_PIXELS);

/** The full width of the world, unless the map is too tall for that. */
export const wholeWorld = (size: Size): View =>
  bounded({ x: 0.53, y: LIVED_MIDDLE, zoom: zoomFor(Math.max(1, size.height) / LIVED_HEIGHT) }, size);

/** The nearest view that shows the world and nothing beyond it. */
export function bounded({ x, y, zoom }: View, size: Size): View {
  const near = Math.min(MAX_ZOOM, Math.max(leastZoom(size), zoom));
  const half = Math.min(0.5, size.height / 2 / scaleOf(near));
  return { x: x - Math.floor(x), y: Math.min(1 - half, Math.max(half, y)), zoom: near };
}

export function screenPoint({ x, y, zoom }: View, { width, height }: Size, point: WorldPoint): ScreenPoint {
  const scale = scaleOf(zoom);
  return { left: width / 2 + eastward(x, point.x) * scale, top: height / 2 + (point.y - y) * scale };
}

/** Not wrapped into 0 to 1, so that distances can be measured from it. */
export function worldAt(
  { x, y, zoom }: View,
  { width, height }: Size,
  { left, top }: ScreenPoint,
): WorldPoint {
  const scale = scaleOf(zoom);
  return { x: x + (left - width / 2) / scale, y: y + (top - height / 2) / scale };
}

/** Like dragging paper: the content moves right and down. */
export function panned({ x, y, zoom }: View, size: Size, right: number, down: number): View {
  const scale = scaleOf(zoom);
  return bounded({ x: x - right / scale, y: y - down / scale, zoom }, size);
}

/** The point under the pointer stays there. */
export function zoomedAt(view: View, size: Size, at: ScreenPoint, steps: number): View {
  const zoom = Math.min(MAX_ZOOM, Math.max(leastZoom(size), view.zoom + steps));
  const fixed = worldAt(view, size, at);
  const moved = worldAt({ ...view, zoom }, size, at);
  return bounded({ x: view.x + fixed.x - moved.x, y: view.y + fixed.y - moved.y, zoom }, size);
}

export function isInView(
  { x, y, zoom }: View,
  { width, height }: Size,
  pointX: number,
  pointY: number,
): boolean {
  const scale = 2 * scaleOf(zoom);
  return Math.abs(eastward(x, pointX)) <= width / scale && Math.abs(pointY - y) <= height / scale;
}

/** Interpolates between two views; 0 is the first, 1 the second. */
export const between = (from: View, to: View, part: number): View => ({
  x: from.x + eastward(from.x, to.x) * part,
  y: from.y + (to.y - from.y) * part,
  zoom: from.zoom + (to.zoom - from.zoom) * part,
});
