import { Camera } from './view/camera.ts';
import { MapRenderer } from './drawing/map-renderer.ts';
import { Frames } from './view/frames.ts';
import { isStillWanted } from './view/glide.ts';
import { Lands } from './land/lands.ts';
import type { Mark } from './drawing/marks.ts';
import { Needle } from './view/needle.ts';
import type { PaintLabels } from './drawing/paint-ground.ts';
import type { Points } from './points.ts';
import { type ScreenPoint, type Size, type View, panned, screenPoint, zoomedAt } from './view/view.ts';

/** The mark under the pointer, and where it is on the map. */
export interface Pointed extends ScreenPoint {
  mark: Mark;
}

export interface ChartEvents {
  /** The map has stopped moving and shows this. */
  rest: (view: View, size: Size) => void;
  point: (pointed: Pointed | undefined) => void;
  choose: (mark: Mark) => void;
  landFailed: (error: unknown) => void;
}

/** From where a flight was meant to end: a mark stands in the middle of its stations. */
const REACH = 30;

/** The drawn world. It repaints only when something has changed. */
export class Chart {
  readonly #events: ChartEvents;
  readonly #frames = new Frames((nowMs) => this.#draw(nowMs));
  readonly #camera: Camera;
  readonly #renderer: MapRenderer;
  readonly #lands: Lands;
  readonly #needle = new Needle();
  #pointed: Mark | undefined;
  #hasCross = false;
  #flownTo: View | undefined;

  constructor(canvas: HTMLCanvasElement, events: ChartEvents, view?: View) {
    this.#events = events;
    this.#renderer = new MapRenderer(canvas);
    this.#camera = new Camera({ moved: () => this.#moved(), rested: () => this.#rested() }, view);
    this.#lands = new Lands({ came: () => this.#landCame(), failed: events.landFailed });
    this.#frames.soon();
  }

  get view(): View {
    return this.#camera.view;
  }

  get size(): Size {
    return this.#camera.size;
  }

  get aim(): View {
    return this.#camera.aim;
  }

  recolour(): void {
    this.#renderer.recolour();
    this.#frames.soon();
  }

  resize(size: Size): void {
    this.#renderer.resize(size);
    this.#camera.resize(size);
    // Its canvas is empty now; a frame without a map would be visible as a flash.
    this.#paint(performance.now());
  }

  show(points: Points): void {
    this.#renderer.show(points);
    this.#frames.soon();
  }

  /** With names of places, from now on. */
  letter(paintLabels: PaintLabels): void {
    this.#renderer.letter(paintLabels);
    this.#frames.soon();
  }

  look(view: View): void {
    this.#camera.look(view);
  }

  /** Animates so that the eye can follow; jumps for those who prefer reduced motion. */
  glideTo(view: View): void {
    if (isStillWanted()) return this.look(view);
    this.point(undefined);
    this.#camera.glideTo(view);
    this.#frames.soon();
  }

  /** To a far place, and points at what is there. */
  flyTo(view: View): void {
    this.point(undefined);
    this.#flownTo = view;
    if (isStillWanted()) return this.look(view);
    this.#camera.flyTo(view);
    this.#frames.soon();
  }

  pan(right: number, down: number): void {
    this.look(panned(this.view, this.size, right, down));
  }

  zoomAt(at: ScreenPoint, steps: number): void {
    this.look(zoomedAt(this.view, this.size, at, steps));
  }

  /** Puts the needle at a longitude of the world, or removes it. */
  setNeedle(x: number | undefined): void {
    this.#needle.put(x);
    this.#frames.soon();
  }

  markNear(at: ScreenPoint, reach: number): Mark | undefined {
    const { view, size } = this;
    return this.#renderer.markNear({ view, size, at, reach });
  }

  point(mark: Mark | undefined): void {
    if (mark === this.#pointed) return;
    this.#pointed = mark;
    this.#events.point(mark && { mark, ...screenPoint(this.view, this.size, mark) });
    this.#frames.soon();
  }

  choose(mark: Mark): void {
    const { splitsAt } = mark;
    if (splitsAt !== undefined)
      this.glideTo({ x: mark.x, y: mark.y, zoom: Math.max(splitsAt, this.view.zoom + 1) });
    this.#events.choose(mark);
  }

  setCross(hasCross: boolean): void {
    if (hasCross === this.#hasCross) return;
    this.#hasCross = hasCross;
    this.#frames.soon();
  }

  close(): void {
    this.#lands.close();
    this.#camera.close();
    this.#frames.close();
  }

  #moved(): void {
    this.#lands.needAt(this.view.zoom);
    this.#frames.soon();
  }

  #rested(): void {
    // What is painted for the new view is what can be pointed at.
    this.#paint(performance.now());
    this.#events.rest(this.view, this.size);
    if (!this.#flownTo) return;
    // Near the poles the map ends before the place is in its middle.
    this.point(this.markNear(screenPoint(this.view, this.size, this.#flownTo), REACH));
    this.#flownTo = undefined;
  }

  #landCame(): void {
    this.#renderer.invalidate();
    this.#frames.soon();
  }

  #draw(nowMs: number): void {
    this.#camera.step(nowMs);
    this.#paint(nowMs);
  }

  #paint(nowMs: number): void {
    const { view, size, isResting } = this.#camera;
    const land = this.#lands.at(view.zoom);
    const front = { view, size, pointed: this.#pointed, hasCross: this.#hasCross };
    this.#renderer.paint({ ...front, needle: this.#needle.at(nowMs), land, isResting });
    if (this.#needle.isMoving) this.#frames.soon();
  }
}
