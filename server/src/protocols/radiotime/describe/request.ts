import type { FindById } from '../../../core/directory/lookup/by-any-id.ts';
import { findStation } from '../../../core/directory/lookup/lookups.ts';
import type { DirectoryStation, Snapshot } from '../../../core/directory/snapshot/snapshot.ts';
import type { Words } from '../../../core/i18n/words.ts';
import type { SavedIds } from '../../../formats/opml/compile.ts';
import type { FormatMask } from '../../../lib/stream-format.ts';
import type { StationSource } from '../outlines/station-lines.ts';
import type { Catalogue, LastSongs, Show, Topic } from './catalogue.ts';
import type { StationOnAir } from './on-air.ts';

export type CurrentSong = Pick<StationOnAir, 'song' | 'isCold'>;

/** The context of a description: one snapshot, one language, one moment. */
export interface DescribeContext {
  readonly snapshot: Snapshot;
  readonly words: Words;
  readonly now: Temporal.Instant;
  /** The caller's saved items, if any. */
  readonly saved?: SavedIds | undefined;
}

export interface DescribeRequest extends DescribeContext {
  /** The formats the caller plays. */
  readonly formats: FormatMask;
  readonly catalogue: Catalogue;
  readonly lastSongs: LastSongs;
  /** Reading a song counts as demand: it is then polled for a while. */
  readonly songOf: (stationId: number) => CurrentSong;
  /** Shows and songs for stations in lists; these do not count as demand. */
  readonly listed: () => Pick<StationSource, 'onAir' | 'songs'>;
}

/** What can be described. Stations are in memory, the others in the database. */
export type Item =
  | { kind: 'station'; station: DirectoryStation }
  | { kind: 'show'; show: Show }
  | { kind: 'topic'; topic: Topic };

/** Genres, places and the like have menus but no description: asking for one is no error and finds nothing. */
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
