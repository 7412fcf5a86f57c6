import type { Snapshot } from '../directory/snapshot.ts';
import type { FormatMask } from '../lib/stream-format.ts';
import type { Words } from '../words/words.ts';
import type { Catalogue } from './catalogue.ts';
import type { PlayingSong } from './on-air.ts';

/** What an item is described with: one state of the directory, one language, one moment. */
export interface Telling {
  readonly snapshot: Snapshot;
  readonly words: Words;
  readonly now: Temporal.Instant;
}

export interface DescribeRequest extends Telling {
  /** What the caller plays. */
  readonly formats: FormatMask;
  readonly catalogue: Catalogue;
  readonly songOf: (stationId: number) => PlayingSong | undefined;
}
