import type { Item } from '../../items/item.ts';
import type { Section } from '../../items/lists/sections.ts';
import { queryOf } from './columns.ts';
import { listedIn } from './listed-in.ts';

/** What a menu has beside the stations that it is about. */
export interface PlaceParts {
  /** Smaller places, finer genres. */
  ways: readonly Item[];
  /** Of a genre: those around the listener. */
  near: Section | undefined;
  /** Shows and the like. */
  others: readonly Section[];
}

/** The parts of a menu whose stations are listed by themselves, from `groups`. */
export function partsOf(sections: readonly Section[], groups: string): PlaceParts {
  const beside = sections.filter((section) => !hasStations(section));
  const leadsHere = ({ href = '' }: Item): boolean => listedIn(queryOf(href.split('?')[1] ?? '')) === groups;
  return {
    ways: beside.flatMap(({ items }) => items.filter((item) => isWay(item) && !leadsHere(item))),
    near: sections.find((section) => section.key === 'local' && hasStations(section)),
    // A line that says that there is nothing is about the stations as well.
    others: beside
      .map((section) => ({
        ...section,
        items: section.items.filter((item) => !isWay(item) && item.kind !== 'text'),
      }))
      .filter(({ items }) => items.length > 0),
  };
}

const hasStations = ({ items }: Section): boolean => items.some(({ kind }) => kind === 'station');
const isWay = ({ kind, href }: Item): boolean => kind === 'link' && href !== undefined;
