import type { Described } from '@longwave/client';
import { type ItemFacts, factIn, itemFacts } from '../../items/details/item-facts.ts';

export interface StationFacts extends ItemFacts {
  name: string;
  slogan: string | undefined;
  /** `97.9 FM` */
  frequency: string | undefined;
  hasSchedule: boolean;
}

/** Undefined if the id is not that of a station. */
export function stationFacts(described: Described | undefined): StationFacts | undefined {
  if (described?.kind !== 'station') return undefined;
  return {
    ...itemFacts(described),
    name: described.fields['name'] ?? '',
    slogan: factIn(described, 'slogan'),
    frequency: frequencyOf(factIn(described, 'frequency'), factIn(described, 'band')),
    hasSchedule: described.fields['has_schedule'] === 'true',
  };
}

/** An internet-only station has no frequency, whatever its band is called. */
const frequencyOf = (frequency: string | undefined, band: string | undefined): string | undefined =>
  frequency === undefined || frequency === '0' ? undefined : [frequency, band].filter(Boolean).join(' ');
