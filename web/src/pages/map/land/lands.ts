import coarseAtlas from 'world-atlas/countries-110m.json?url';
import fineAtlas from 'world-atlas/countries-50m.json?url';
import { type Land, drawLand } from './land.ts';

/** 38 kB for the whole world, and six times as much for the details of a close view. */
const ATLASES = { coarse: coarseAtlas, fine: fineAtlas };
type Detail = keyof typeof ATLASES;

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

const DEADLINE_MS = 30_000;
const loaded = new Map<Detail, Promise<Land>>();

/** Loaded once while the page is open; a failed load is tried again. */
function loadLand(detail: Detail): Promise<Land> {
  const known = loaded.get(detail);
  if (known) return known;
  const land = fetchLand(ATLASES[detail]);
  loaded.set(detail, land);
  land.catch(() => loaded.delete(detail));
  return land;
}

async function fetchLand(address: string): Promise<Land> {
  const response = await fetch(address, { signal: AbortSignal.timeout(DEADLINE_MS) });
  if (!response.ok) throw new TypeError(`the atlas was answered with HTTP ${response.status}`);
  return drawLand(await response.json());
}
