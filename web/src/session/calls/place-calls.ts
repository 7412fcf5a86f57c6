import { askSite } from './api.ts';

/** A town, as the directory knows it. */
export interface Place {
  id: string;
  city: string;
  state?: string | null;
  /** Two letters. */
  country?: string;
  countryName?: string;
}

export const suggestPlaces = async (text: string, signal?: AbortSignal): Promise<Place[]> =>
  (await askSite<{ places: Place[] }>(`places?text=${encodeURIComponent(text)}`, { signal })).places;
