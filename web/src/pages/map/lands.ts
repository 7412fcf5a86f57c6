import type { Land } from './land.ts';
import { type Detail, loadLand } from './load-land.ts';

/** From this zoom on, the finer coasts are worth their bytes. */
const FINE_FROM_ZOOM = 2.3;

export interface LandEvents {
  came: () => void;
  failed: (error: unknown) => void;
}

/** The coasts: the coarse ones from the start, the finer ones when the map is first zoomed in. */
export class Lands {
  readonly #loaded: Partial<Record<Detail, Land>> = {};
  readonly #events: LandEvents;
  #isClosed = false;

  constructor(events: LandEvents) {
    this.#events = events;
    this.#load('coarse');
  }

  /** The best that has loaded for this zoom. */
  at(zoom: number): Land | undefined {
    const { coarse, fine } = this.#loaded;
    return zoom >= FINE_FROM_ZOOM ? (fine ?? coarse) : coarse;
  }

  needAt(zoom: number): void {
    if (zoom >= FINE_FROM_ZOOM) this.#load('fine');
  }

  close(): void {
    this.#isClosed = true;
  }

  #load(detail: Detail): void {
    if (this.#loaded[detail]) return;
    const came = (land: Land): void => {
      this.#loaded[detail] = land;
      this.#events.came();
    };
    const failed = (error: unknown): void => {
      // The finer one is optional.
      if (detail === 'coarse' && !this.#isClosed) this.#events.failed(error);
    };
    loadLand(detail).then(came, failed);
  }
}
