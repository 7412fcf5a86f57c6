import type { Colours } from './colours.ts';

/**
 * Soft lights, each size painted once and copied pixel by pixel wherever stations are: a gradient for each, or a
 * scaled one, takes longer than all the rest of the map.
 */
export class Glow {
  readonly #colours: Colours;
  readonly #painted = new Map<number, HTMLCanvasElement>();

  constructor(colours: Colours) {
    this.#colours = colours;
  }

  /** For a radius in whole device pixels. */
  ofRadius(radius: number): HTMLCanvasElement {
    const known = this.#painted.get(radius);
    if (known) return known;
    const light = paintLight(this.#colours, radius);
    this.#painted.set(radius, light);
    return light;
  }
}

/** On black, light adds up, and a city of many lights would burn out to white. */
const DARK_STOPS = [
  [0, 0.42],
  [0.25, 0.2],
  [0.6, 0.05],
  [1, 0],
] as const;
const LIGHT_STOPS = [
  [0, 0.6],
  [0.3, 0.26],
  [0.65, 0.07],
  [1, 0],
] as const;

function paintLight({ amber, isDark }: Colours, radius: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = 2 * radius;
  canvas.height = 2 * radius;
  const brush = canvas.getContext('2d');
  if (!brush) return canvas;
  const light = brush.createRadialGradient(radius, radius, 0, radius, radius, radius);
  // Transparent amber, not transparent black: blending would turn grey.
  const faded = (part: number): string => amber.replace('rgb(', 'rgba(').replace(')', `, ${part})`);
  const stops = isDark ? DARK_STOPS : LIGHT_STOPS;
  for (const [place, part] of stops) light.addColorStop(place, faded(part));
  brush.fillStyle = light;
  brush.fillRect(0, 0, 2 * radius, 2 * radius);
  return canvas;
}

/** In pixels: a single station is a spark, a city with five hundred a lamp. All are smaller when zoomed out. */
export const glowRadius = (count: number, zoom: number): number =>
  (8 + 4.4 * Math.log2(count)) * nearness(zoom);
export const coreRadius = (count: number, zoom: number): number =>
  (1.7 + 0.42 * Math.log2(count)) * nearness(zoom);

const nearness = (zoom: number): number => Math.min(1, 0.5 + 0.125 * Math.max(0, zoom));
