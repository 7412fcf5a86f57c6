import type { Described } from '@longwave/client';
import { type ItemFacts, factIn, itemFacts } from '../../items/details/item-facts.ts';

export interface ShowFacts extends ItemFacts {
  title: string;
  hosts: string | undefined;
}

/** Undefined if the id is not that of a show. */
export function showFacts(described: Described | undefined): ShowFacts | undefined {
  if (described?.kind !== 'show') return undefined;
  return {
    ...itemFacts(described),
    title: described.fields['title'] ?? '',
    hosts: factIn(described, 'hosts'),
  };
}
