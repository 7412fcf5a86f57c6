import type { DirectoryRegion } from './snapshot.ts';
import { lineageOf } from './tree.ts';

/** Where a town is told apart by its state rather than by its country. */
const NAMED_BY_STATE = new Set(['country:US', 'country:CA', 'country:AU']);

type Place = Pick<DirectoryRegion, 'kind' | 'name' | 'code'> & { readonly parent: Place | undefined };

/**
 * `Lyon, France`, `Austin, Texas`, `Bavaria, Germany`, `Germany`; nothing for the whole world. `nameOf` gives the places'
 * names in another language.
 */
export function placeName(place: Place, nameOf = ownName): string | undefined {
  if (place.kind === 'root') return undefined;
  const wider = widerPlace(place);
  const name = nameOf(place);
  const widerName = wider ? nameOf(wider) : name;
  // Joined, not concatenated: V8 keeps a concatenation as a tree of its parts, which doubles the cost of writing it.
  return widerName === name ? name : [name, widerName].join(', ');
}

const ownName = ({ name }: Pick<Place, 'name' | 'code'>): string => name;

function widerPlace(place: Place): Place | undefined {
  const wider = lineageOf(place).slice(1);
  const country = wider.find(({ kind }) => kind === 'country');
  if (place.kind !== 'city' || !country || !NAMED_BY_STATE.has(country.code)) return country;
  return wider.find(({ kind }) => kind === 'state') ?? country;
}
