import type { Snapshot } from '../directory/snapshot.ts';
import type { FormatMask } from '../lib/stream-format.ts';
import type { SavedIds } from '../opml/mark-saved.ts';
import type { StationSource } from '../opml/station-lines.ts';
import type { Words } from '../words/words.ts';
import type { Catalogue } from './catalogue.ts';
import type { LastSongs } from './last-songs.ts';
import type { OnAir } from './on-air.ts';

export type HeardSong = Pick<OnAir, 'song' | 'isCold'>;

/** What an item is described with: one state of the directory, one language, one moment. */
export interface Telling {
  readonly snapshot: Snapshot;
  readonly words: Words;
  readonly now: Temporal.Instant;
  /** What the caller has saved, where it has saved anything. */
  readonly saved?: SavedIds | undefined;
}

export interface DescribeRequest extends Telling {
  /** What the caller plays. */
  readonly formats: FormatMask;
  readonly catalogue: Catalogue;
  readonly lastSongs: LastSongs;
  /** Whoever asks for a station's song wants it kept new for a while. */
  readonly songOf: (stationId: number) => HeardSong;
  /** What stations in lists have on air and play; nobody asks for those. */
  readonly listed: () => Pick<StationSource, 'onAir' | 'songs'>;
}
