import { useEffect, useState } from 'react';
import { type Place, suggestPlaces } from './place-calls.ts';
import { useSite } from './use-site.ts';

/** The pause between two keys of somebody typing. */
const PAUSE_MS = 150;
const MIN_LENGTH = 2;

const NONE: readonly Place[] = [];

/** The towns for the typed text, requested at pauses in typing. */
export function usePlaces(text: string): readonly Place[] {
  const wanted = text.trim();
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const key = asked.length >= MIN_LENGTH && asked === wanted ? asked : undefined;
  return useSite(key, (signal) => suggestPlaces(asked, signal)).value ?? NONE;
}
