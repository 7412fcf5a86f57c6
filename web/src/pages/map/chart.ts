import { type Colours, readColours } from './colours.ts';
import { Glide } from './glide.ts';
import { Glow } from './glow.ts';
import type { Land } from './land.ts';
import { type Detail, loadLand } from './load-land.ts';
import { type Mark, Marks } from './marks.ts';
import { nearestMark } from './nearest-mark.ts';
import { paintFront } from './paint.ts';
import type { Points } from './points.ts';
import { Sheet } from './sheet.ts';
import {
  type ScreenPoint,
  type Size,
  type View,
  bounded,
  panned,
  screenPoint,
  wholeWorld,
  zoomedAt,
} from './view.ts';

/** A mark that is pointed at, and where it is on the map. */
export interface Pointed extends ScreenPoint {
  mark: Mark;
}

export interface ChartEvents {
  /** The map has come to rest and shows this. */
  rest: (view: View, size: Size) => void;
  point: (pointed: Pointed | undefined) => void;
  choose: (mark: Mark) => void;
  landFailed: (error: unknown) => void;
}

const REST_MS = 140;
/** From here on the finer coasts are worth their bytes. */
const FINE_FROM_ZOOM = 2.3;
/** Sharper than this nobody sees, and it has to be painted. */
const MOST_DENSITY = 2;

/** The drawn world: what is seen of it, and when it is painted. It paints only when something has changed. */
export class Chart {
  readonly #canvas: HTMLCanvasElement;
  readonly #brush: CanvasRenderingContext2D | null;
  readonly #events: ChartEvents;
  readonly #sheet = new Sheet();
  readonly #land: Partial<Record<Detail, Land>> = {};
  #size: Size = { width: 0, height: 0 };
  #view: View | undefined;
  #marks: Marks | undefined;
  #colours!: Colours;
  #glow!: Glow;
  #glide: Glide | undefined;
  #needle: number | undefined;
  #needleGlide: Glide | undefined;
  #pointed: Mark | undefined;
  #hasCross = false;
  #frame: number | undefined;
  #restTimer: ReturnType<typeof setTimeout> | undefined;
  #isResting = false;
  #isClosed = false;

  constructor(canvas: HTMLCanvasElement, events: ChartEvents, view?: View) {
    this.#canvas = canvas;
    this.#brush = canvas.getContext('2d', { alpha: false });
    this.#events = events;
    this.#view = view;
    this.recolour();
    this.#load('coarse');
  }

  get view(): View {
    return this.#view ?? wholeWorld(this.#size);
  }

  get size(): Size {
    return this.#size;
  }

  /** Where it is going, if it is on its way: a second press goes on from there. */
  get aim(): View {
    return this.#glide?.to ?? this.view;
  }

  recolour(): void {
    this.#colours = readColours(this.#canvas.parentElement ?? document.body);
    this.#glow = new Glow(this.#colours);
    this.#repaint();
  }

  resize(size: Size): void {
    const density = Math.min(MOST_DENSITY, devicePixelRatio);
    this.#canvas.width = Math.round(size.width * density);
    this.#canvas.height = Math.round(size.height * density);
    this.#size = size;
    this.look(this.#view ?? wholeWorld(size));
    // Setting its size has emptied the canvas; a frame without a map would be seen as a flash.
    this.#paint(performance.now());
  }

  show(points: Points): void {
    this.#marks = new Marks(points);
    this.#repaint();
  }

  look(view: View): void {
    this.#glide = undefined;
    this.#move(bounded(view, this.#size));
  }

  /** Goes there so that the eye can follow; at once for those who want nothing to move. */
  glideTo(view: View): void {
    const to = bounded(view, this.#size);
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return this.look(to);
    this.point(undefined);
    this.#glide = new Glide(this.view, to, performance.now());
    this.#paintSoon();
  }

  pan(right: number, down: number): void {
    this.look(panned(this.view, this.#size, right, down));
  }

  zoomAt(at: ScreenPoint, steps: number): void {
    this.look(zoomedAt(this.view, this.#size, at, steps));
  }

  /** Puts the needle at a longitude of the world, or takes it away. */
  setNeedle(x: number | undefined): void {
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const [from, to] = [this.#needle, x].map((at) => ({ x: at ?? 0, y: 0, zoom: 0 }));
    const moves = !isStill && this.#needle !== undefined && x !== undefined;
    this.#needleGlide = moves && from && to ? new Glide(from, to, performance.now()) : undefined;
    this.#needle = x;
    this.#paintSoon();
  }

  markNear(at: ScreenPoint, reach: number): Mark | undefined {
    const { view, size } = this;
    return nearestMark(this.#sheet.marks, { view, size, at, reach });
  }

  point(mark: Mark | undefined): void {
    if (mark === this.#pointed) return;
    this.#pointed = mark;
    this.#events.point(mark && { mark, ...screenPoint(this.view, this.#size, mark) });
    this.#paintSoon();
  }

  choose(mark: Mark): void {
    const splitsAt = mark.splitsAt();
    if (splitsAt !== undefined)
      this.glideTo({ x: mark.x, y: mark.y, zoom: Math.max(splitsAt, this.view.zoom + 1) });
    this.#events.choose(mark);
  }

  setCross(hasCross: boolean): void {
    if (hasCross === this.#hasCross) return;
    this.#hasCross = hasCross;
    this.#paintSoon();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#restTimer);
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
  }

  #move(view: View): void {
    this.#view = view;
    this.#isResting = false;
    if (view.zoom >= FINE_FROM_ZOOM) this.#load('fine');
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => this.#rest(), REST_MS);
    this.#paintSoon();
  }

  /** What was good enough while it moved is made good. */
  #rest(): void {
    this.#isResting = true;
    this.#paintSoon();
    this.#events.rest(this.view, this.#size);
  }

  #repaint(): void {
    this.#sheet.spoil();
    this.#paintSoon();
  }

  #load(detail: Detail): void {
    if (this.#land[detail]) return;
    const failed = (error: unknown): void => {
      // The finer one can be done without.
      if (detail === 'coarse' && !this.#isClosed) this.#events.landFailed(error);
    };
    loadLand(detail).then((land) => this.#put(detail, land), failed);
  }

  #put(detail: Detail, land: Land): void {
    this.#land[detail] = land;
    this.#repaint();
  }

  #paintSoon(): void {
    if (this.#isClosed) return;
    this.#frame ??= requestAnimationFrame((nowMs) => {
      this.#frame = undefined;
      this.#step(nowMs);
      this.#paint(nowMs);
    });
  }

  #step(nowMs: number): void {
    if (!this.#glide) return;
    const view = this.#glide.at(nowMs);
    this.#move(view ?? this.#glide.to);
    if (!view) this.#glide = undefined;
  }

  #paint(nowMs: number): void {
    const { view, size } = this;
    if (!this.#brush || size.width === 0) return;
    const needle = this.#needleGlide?.at(nowMs)?.x ?? this.#needle;
    if (needle === this.#needle) this.#needleGlide = undefined;
    else this.#paintSoon();
    const density = this.#canvas.width / size.width;
    const fit = this.#sheet.fitFor(view, size, density);
    if (fit === 'bad' || (fit === 'rough' && this.#isResting)) this.#paintSheet(density);
    this.#sheet.lay(this.#brush, view, size);
    const front = {
      view,
      size,
      colours: this.#colours,
      pointed: this.#pointed,
      needle,
      hasCross: this.#hasCross,
    };
    paintFront(this.#brush, front);
  }

  #paintSheet(density: number): void {
    const { view, size } = this;
    const { coarse, fine } = this.#land;
    const land = view.zoom >= FINE_FROM_ZOOM ? (fine ?? coarse) : coarse;
    const ground = { view, density, land, colours: this.#colours, glow: this.#glow };
    this.#sheet.paint(ground, size, (sheet) => this.#marks?.within(view, sheet) ?? []);
  }
}
