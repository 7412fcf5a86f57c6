import type { Described } from '@longwave/client';
import { webAddress } from '../../items/web-address.ts';

/** What the directory tells of a station, by the names of the site. */
export interface StationFacts {
  guideId: string;
  name: string;
  slogan: string | undefined;
  place: string | undefined;
  /** `97.9 FM` */
  frequency: string | undefined;
  language: string | undefined;
  genre: { id: string; name: string } | undefined;
  description: string | undefined;
  homepage: string | undefined;
  hasSchedule: boolean;
}

/** Undefined where nothing of that id is a station. */
export function stationFacts(described: Described | undefined): StationFacts | undefined {
  if (described?.kind !== 'station') return undefined;
  const { fields } = described;
  const text = (name: string): string | undefined => fields[name]?.trim() || undefined;
  const genreName = text('genre_name');
  const genreId = text('genre_id');
  return {
    guideId: fields['guide_id'] ?? '',
    name: fields['name'] ?? '',
    slogan: text('slogan'),
    place: text('location'),
    frequency: frequencyOf(text('frequency'), text('band')),
    language: text('language'),
    genre: genreId !== undefined && genreName !== undefined ? { id: genreId, name: genreName } : undefined,
    description: text('description'),
    homepage: webAddress(text('url')),
    hasSchedule: fields['has_schedule'] === 'true',
  };
}

/** What is only heard by the internet has no frequency, whatever its band is called. */
const frequencyOf = (frequency: string | undefined, band: string | undefined): string | undefined =>
  frequency === undefined || frequency === '0' ? undefined : [frequency, band].filter(Boolean).join(' ');
