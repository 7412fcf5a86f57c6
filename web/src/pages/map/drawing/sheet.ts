import type { Mark } from './marks.ts';
import { type Ground, paintGround } from './paint-ground.ts';
import { type Size, type View, scaleOf } from '../view/view.ts';
import { eastward } from '../view/world.ts';

type Painted = Omit<Ground, 'marks'> & { window: Size };

/** How far it extends beyond the window on each side, in widths and heights of the window. */
const MARGIN = 0.4;
/** When this much of the margin is used up, it is repainted around the current view as soon as the map rests. */
const MAX_USED = 0.4;
/** Scaled further, it would look blurred. */
const MAX_ZOOM_OFF = 0.5;

/**
 * The map painted somewhat larger than its window, to be moved beneath it. Painting takes longer than a frame on a
 * slow machine; copying the painted sheet takes a fraction of one.
 */
export class Sheet {
  readonly #canvas = document.createElement('canvas');
  readonly #brush = this.#canvas.getContext('2d', { alpha: false });
  #painted: Painted | undefined;
  marks: readonly Mark[] = [];

  /** Invalidates what is painted. */
  invalidate(): void {
    this.#painted = undefined;
  }

  /** `good` to show as it is; `rough` is good enough while the map moves; or `bad`. */
  fitFor(view: View, window: Size, density: number): 'good' | 'rough' | 'bad' {
    const painted = this.#painted;
    if (!painted || painted.density !== density) return 'bad';
    if (painted.window.width !== window.width || painted.window.height !== window.height) return 'bad';
    const ratio = 2 ** (view.zoom - painted.view.zoom);
    const scale = scaleOf(view.zoom);
    const [right, down] = [eastward(painted.view.x, view.x) * scale, (view.y - painted.view.y) * scale];
    const spareWidth = (painted.size.width * ratio - window.width) / 2;
    const spareHeight = (painted.size.height * ratio - window.height) / 2;
    const used = Math.max(Math.abs(right) / spareWidth, Math.abs(down) / spareHeight);
    const off = Math.abs(view.zoom - painted.view.zoom);
    if (spareWidth < 0 || spareHeight < 0 || used > 1 || off > MAX_ZOOM_OFF) return 'bad';
    return off < 0.001 && used < MAX_USED ? 'good' : 'rough';
  }

  paint(
    ground: Omit<Ground, 'size' | 'marks'>,
    window: Size,
    marksIn: (size: Size) => readonly Mark[],
  ): void {
    if (!this.#brush) return;
    const side = 1 + 2 * MARGIN;
    const size = { width: Math.ceil(window.width * side), height: Math.ceil(window.height * side) };
    const [width, height] = [size.width * ground.density, size.height * ground.density].map(Math.ceil);
    if (width && this.#canvas.width !== width) this.#canvas.width = width;
    if (height && this.#canvas.height !== height) this.#canvas.height = height;
    this.marks = marksIn(size);
    paintGround(this.#brush, { ...ground, size, marks: this.marks });
    this.#painted = { ...ground, size, window };
  }

  lay(brush: CanvasRenderingContext2D, view: View, window: Size): void {
    if (!this.#painted) return;
    const { view: middle, size, density } = this.#painted;
    const scale = scaleOf(view.zoom) * density;
    const ratio = 2 ** (view.zoom - middle.zoom);
    const [width, height] = [size.width * density * ratio, size.height * density * ratio];
    const left = (window.width * density - width) / 2 + eastward(view.x, middle.x) * scale;
    const top = (window.height * density - height) / 2 + (middle.y - view.y) * scale;
    brush.setTransform(1, 0, 0, 1, 0, 0);
    // Aligned to pixels where possible: otherwise each would be blended from four.
    if (ratio === 1) brush.drawImage(this.#canvas, Math.round(left), Math.round(top));
    else brush.drawImage(this.#canvas, left, top, width, height);
    brush.setTransform(density, 0, 0, density, 0, 0);
  }
}
