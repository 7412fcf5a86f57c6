import coarse from 'world-atlas/countries-110m.json?url';
import fine from 'world-atlas/countries-50m.json?url';
import { type Land, drawLand } from './land.ts';

/** 38 kB for the whole world, and six times as much for the details of a close view. */
const ATLASES = { coarse, fine };
export type Detail = keyof typeof ATLASES;

const DEADLINE_MS = 30_000;
const loaded = new Map<Detail, Promise<Land>>();

/** Loaded once while the page is open; a failed load is tried again. */
export function loadLand(detail: Detail): Promise<Land> {
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
