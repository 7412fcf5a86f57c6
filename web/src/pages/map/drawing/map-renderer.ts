import { type Colours, readColours } from './colours.ts';
import { Glow } from './glow.ts';
import type { Land } from '../land/land.ts';
import { type Mark, Marks } from './marks.ts';
import { nearestMark } from './nearest-mark.ts';
import { type Front, paintFront } from './paint-front.ts';
import type { PaintLabels } from './paint-ground.ts';
import type { Points } from '../points.ts';
import { Sheet } from './sheet.ts';
import type { ScreenPoint, Size, View } from '../view/view.ts';

/** A higher density is not visible, but has to be painted. */
const MAX_DENSITY = 2;

export interface Scene extends Omit<Front, 'colours'> {
  land: Land | undefined;
  /** Then the rough picture used while moving is repainted. */
  isResting: boolean;
}

/** The canvas in the page, and what the map is painted with. */
export class MapRenderer {
  readonly #canvas: HTMLCanvasElement;
  readonly #brush: CanvasRenderingContext2D | null;
  readonly #sheet = new Sheet();
  #colours: Colours;
  #glow: Glow;
  #marks: Marks | undefined;
  #paintLabels: PaintLabels | undefined;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#brush = canvas.getContext('2d', { alpha: false });
    this.#colours = coloursAround(canvas);
    this.#glow = new Glow(this.#colours);
  }

  recolour(): void {
    this.#colours = coloursAround(this.#canvas);
    this.#glow = new Glow(this.#colours);
    this.invalidate();
  }

  /** Leaves the canvas empty. */
  resize(size: Size): void {
    const density = Math.min(MAX_DENSITY, devicePixelRatio);
    this.#canvas.width = Math.round(size.width * density);
    this.#canvas.height = Math.round(size.height * density);
  }

  show(points: Points): void {
    this.#marks = new Marks(points);
    this.invalidate();
  }

  letter(paintLabels: PaintLabels): void {
    this.#paintLabels = paintLabels;
    this.invalidate();
  }

  /** Invalidates what is painted. */
  invalidate(): void {
    this.#sheet.invalidate();
  }

  markNear(seen: { view: View; size: Size; at: ScreenPoint; reach: number }): Mark | undefined {
    return nearestMark(this.#sheet.marks, seen);
  }

  paint({ land, isResting, ...front }: Scene): void {
    const { view, size } = front;
    if (!this.#brush || size.width === 0) return;
    const density = this.#canvas.width / size.width;
    const fit = this.#sheet.fitFor(view, size, density);
    if (fit === 'bad' || (fit === 'rough' && isResting)) {
      const [colours, glow, paintLabels] = [this.#colours, this.#glow, this.#paintLabels];
      const ground = { view, density, land, colours, glow, paintLabels };
      this.#sheet.paint(ground, size, (sheet) => this.#marks?.within(view, sheet) ?? []);
    }
    this.#sheet.lay(this.#brush, view, size);
    paintFront(this.#brush, { ...front, colours: this.#colours });
  }
}

const coloursAround = (canvas: HTMLCanvasElement): Colours =>
  readColours(canvas.parentElement ?? document.body);
