import { useEffect, useState } from 'react';
import { type Place, suggestPlaces } from './place-calls.ts';
import { useSite } from './use-site.ts';

/** Between two keys of somebody who types. */
const PAUSE_MS = 150;
const SHORTEST = 2;

const NONE: readonly Place[] = [];

/** The towns for what is typed, asked when there is a pause in it. */
export function usePlaces(text: string): readonly Place[] {
  const wanted = text.trim();
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const key = asked.length >= SHORTEST && asked === wanted ? asked : undefined;
  return useSite(key, (signal) => suggestPlaces(asked, signal)).value ?? NONE;
}
