import type { Item } from '../items/item.ts';
import type { Language } from '../i18n/languages.ts';
import { askSite } from '../session/calls/api.ts';
import type { Chosen, FilterName } from './filters.ts';

/** What is listed: the stations of groups (`r12,g5`), or those that words find. */
export type Listable = { in: string } | { q: string };

export interface Option {
  id: string;
  /** Absent for bit rates, which need no name. */
  name?: string;
  /** How many stations there are when it is chosen. */
  count: number;
  /** The kind that this kind is one of: jazz is music. */
  of?: string;
}

interface StationLine {
  id: string;
  name: string;
  place?: string;
  genre?: string;
  kbits?: number;
  song?: string;
  show?: string;
  /** Where the other stations are that this line stands for. */
  network?: { id: string; text: string };
}

export interface ListingPage {
  total: number;
  /** False where words find more than was looked at. */
  isWhole: boolean;
  stations: StationLine[];
  /** Where the next page begins. */
  next: number | null;
  /** Of the first page. */
  filters?: Readonly<Record<FilterName, readonly Option[]>>;
}

interface Wanted {
  chosen: Chosen;
  offset: number;
  language: Language;
}

export const askStations = (
  listable: Listable,
  { chosen, offset, language }: Wanted,
  signal?: AbortSignal,
): Promise<ListingPage> => {
  const params = new URLSearchParams({ ...listable, ...chosen, locale: language });
  if (offset > 0) params.set('offset', String(offset));
  return askSite(`stations?${params.toString()}`, { signal });
};

/** The lines as rows: in a place the genre says more, elsewhere the place. */
export function itemsOf({ stations }: ListingPage, isPlace: boolean): Item[] {
  return stations.flatMap((line) => {
    const station: Item = {
      kind: 'station',
      key: line.id,
      guideId: line.id,
      name: line.name.normalize('NFC'),
      aside: isPlace ? line.genre : line.place,
      subtext: line.song ?? line.show,
      song: line.song,
      href: `/station/${line.id}`,
      seconds: undefined,
      isUnavailable: false,
    };
    return line.network ? [station, linkTo(line.network)] : [station];
  });
}

const linkTo = ({ id, text }: { id: string; text: string }): Item => ({
  kind: 'link',
  key: `network ${id}`,
  guideId: id,
  name: text,
  aside: undefined,
  subtext: undefined,
  href: `/browse?id=${id}`,
  seconds: undefined,
  isUnavailable: false,
});

export const isInPlace = (listable: Listable): boolean => 'in' in listable && /\b[rn]\d/.test(listable.in);
