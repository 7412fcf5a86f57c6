import { askSite } from './api.ts';

/** What became of a suggested station. */
export interface Suggested {
  /** By which it is asked for again; absent where the station was listed already. */
  id?: string;
  state: 'waiting' | 'heard' | 'silent' | 'accepted' | 'listed' | 'rejected';
  /** Of a silent one, as of the streams of stations. */
  why?: string | null;
  station?: { id: string; name: string };
}

interface MissingStation {
  name: string;
  address: string;
  homepage: string;
  /** The id of a place. */
  place: string | undefined;
}

export const suggestStation = (missing: MissingStation): Promise<Suggested> =>
  askSite('suggestions', { method: 'POST', body: missing });

export const findSuggestion = (id: string, signal?: AbortSignal): Promise<Suggested> =>
  askSite(`suggestions/${encodeURIComponent(id)}`, { signal });

/** One that was heard, for the operator. */
export interface HeardSuggestion {
  id: string;
  name: string;
  address: string;
  homepage: string | null;
  place: string | null;
  codec: string | null;
  kbits: number | null;
  suggestedAt: string;
}

interface HeardSuggestions {
  suggestions: HeardSuggestion[];
}

export const listSuggestions = (signal?: AbortSignal): Promise<HeardSuggestions> =>
  askSite('operator/suggestions', { signal });

/** Gives those that are left. */
export const decideSuggestion = (id: string, accept: boolean): Promise<HeardSuggestions> =>
  askSite(`operator/suggestions/${encodeURIComponent(id)}`, { method: 'POST', body: { accept } });
