import type { Snapshot } from '../directory/snapshot.ts';
import type { StationFilter } from '../directory/sieve.ts';
import type { Call } from '../http/endpoint.ts';
import { numberOf } from '../lib/guide-id.ts';

/** Stations in a group, unless the partner's row says otherwise. */
export const STATIONS_PER_GROUP = 50;
/** Beyond any list there is; further pages are empty anyway. */
const LARGEST_OFFSET = 1_000_000;

/** What a menu is made from: one snapshot, whatever swaps meanwhile, and what the caller asked of it. */
export interface BrowseRequest {
  snapshot: Snapshot;
  /** What the caller can play and wants to hear; every list in the menu obeys it. */
  stations: StationFilter;
  languageId: number | undefined;
  offset: number;
  limit: number;
  /** Only stations, as one flat list: the pages behind a group. */
  flat: boolean;
}

/** `filter` is a list of tokens between colons; those that mean nothing here are ignored, never a fault. */
export function readRequest({ params, caller }: Call, snapshot: Snapshot): BrowseRequest {
  const tokens = (params.text('filter') ?? '').split(':');
  const languageId = tokens.map((token) => numberOf('l', token)).find((id) => id !== undefined);
  return {
    snapshot,
    stations: { formats: caller.formats, languageId },
    languageId,
    offset: params.optional('offset', parseOffset) ?? 0,
    limit: STATIONS_PER_GROUP,
    flat: tokens.includes('s'),
  };
}

const parseOffset = (text: string): number | undefined =>
  /^\d{1,9}$/.test(text) ? Math.min(Number(text), LARGEST_OFFSET) : undefined;

/** The filter that deeper links repeat: the language for ever, `s` on the pages of a station list. */
export function filterText({ languageId }: BrowseRequest, ...tokens: string[]): string | undefined {
  const all = languageId === undefined ? tokens : [...tokens, `l${languageId}`];
  return all.length > 0 ? all.join(':') : undefined;
}
