import type { Described } from '@longwave/client';
import { webAddress } from '../web-address.ts';

/** Facts that the directory has about both stations and shows, under the site's names. */
export interface ItemFacts {
  guideId: string;
  place: string | undefined;
  language: string | undefined;
  genre: { id: string; name: string } | undefined;
  description: string | undefined;
  homepage: string | undefined;
}

/** A field's text; undefined if it is empty. */
export const factIn = ({ fields }: Described, name: string): string | undefined =>
  fields[name]?.trim() || undefined;

export function itemFacts(described: Described): ItemFacts {
  const text = (name: string): string | undefined => factIn(described, name);
  const [id, name] = [text('genre_id'), text('genre_name')];
  return {
    guideId: described.fields['guide_id'] ?? '',
    place: text('location'),
    language: text('language'),
    genre: id !== undefined && name !== undefined ? { id, name } : undefined,
    description: text('description'),
    homepage: webAddress(text('url')),
  };
}
