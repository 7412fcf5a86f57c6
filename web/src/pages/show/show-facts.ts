import type { Described } from '@longwave/client';
import { webAddress } from '../../items/web-address.ts';

/** What the directory tells of a show, by the names of the site. */
export interface ShowFacts {
  guideId: string;
  title: string;
  hosts: string | undefined;
  place: string | undefined;
  language: string | undefined;
  genre: { id: string; name: string } | undefined;
  description: string | undefined;
  homepage: string | undefined;
}

/** Undefined where nothing of that id is a show. */
export function showFacts(described: Described | undefined): ShowFacts | undefined {
  if (described?.kind !== 'show') return undefined;
  const { fields } = described;
  const text = (name: string): string | undefined => fields[name]?.trim() || undefined;
  const genreName = text('genre_name');
  const genreId = text('genre_id');
  return {
    guideId: fields['guide_id'] ?? '',
    title: fields['title'] ?? '',
    hosts: text('hosts'),
    place: text('location'),
    language: text('language'),
    genre: genreId !== undefined && genreName !== undefined ? { id: genreId, name: genreName } : undefined,
    description: text('description'),
    homepage: webAddress(text('url')),
  };
}
