import { findStation } from '../directory/by-id.ts';
import type { FindById } from '../directory/by-any-id.ts';
import type { DirectoryStation, Snapshot } from '../directory/snapshot.ts';
import type { Catalogue, Show, Topic } from './catalogue.ts';

/** What can be described. Stations are in memory, the others in the database. */
export type Item =
  | { kind: 'station'; station: DirectoryStation }
  | { kind: 'show'; show: Show }
  | { kind: 'topic'; topic: Topic };

/** Genres, places and the like have menus and no description: to ask for one is no fault, and finds nothing. */
export const itemFinder =
  (snapshot: Snapshot, catalogue: Catalogue): FindById<Item> =>
  async ({ letter, number }) => {
    if (letter === 's') {
      const station = findStation(snapshot, number);
      return station && { kind: 'station', station };
    }
    if (letter === 'p') {
      const show = await catalogue.findShow(number);
      return show && { kind: 'show', show };
    }
    if (letter !== 't') return undefined;
    const topic = await catalogue.findTopic(number);
    return topic && { kind: 'topic', topic };
  };
