import { useCallback, useEffect, useState } from 'react';
import { type LoadedPoints, type Names, loadNames, loadPoints } from './load-map.ts';
import type { Points } from './points.ts';

export interface MapData {
  points: Points | undefined;
  /** Loaded after the points, which are drawn meanwhile. */
  names: Names | undefined;
  error: unknown;
  again: () => void;
}

type Known = Partial<Pick<MapData, 'points' | 'names' | 'error'>>;

/** A directory that changes more often than this while a map is loading is being filled; try again later. */
const MAX_TRIES = 4;

/** What is loaded before the page is drawn, for the page that is opened first. */
let early: { known: Known; ended: Promise<void> } | undefined;

export function prepareMap(): Promise<void> {
  const known: Known = {};
  const ended = load(new AbortController().signal, (news) => void Object.assign(known, news));
  early = { known, ended };
  return ended;
}

async function takeEarly(tell: (news: Known) => void): Promise<void> {
  const began = early;
  early = undefined;
  await began?.ended;
  if (began) tell(began.known);
}

export function useMap(): MapData {
  const [known, setKnown] = useState<Known>(() => early?.known ?? {});
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const ending = new AbortController();
    const tell = (news: Known): void => {
      if (!ending.signal.aborted) setKnown((last) => ({ ...last, ...news }));
    };
    const loading = early ? takeEarly(tell) : load(ending.signal, tell);
    loading.catch((error: unknown) => tell({ error }));
    return () => ending.abort();
  }, [attempt]);
  const again = useCallback(() => {
    setKnown({});
    setAttempt((count) => count + 1);
  }, []);
  const { points, names, error } = known;
  return { points, names, error, again };
}

async function load(signal: AbortSignal, tell: (news: Known) => void): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { version, points }: LoadedPoints = await loadPoints(signal, tries > 1);
    tell({ points });
    const names = await loadNames(version, signal);
    if (names) return tell({ names });
    if (tries === MAX_TRIES) throw new Error('the directory changes faster than its map is loaded');
  }
}
