import type { Pool } from 'pg';
import type { Aliases } from '../directory/aliases.ts';
import type { Directory } from '../directory/directory.ts';
import type { DirectoryStation } from '../directory/snapshot.ts';
import type { StreamBoard } from '../directory/stream-board.ts';
import type { MemberDoors } from '../http/acting-member.ts';
import type { Answer, Call } from '../http/endpoint.ts';
import type { Clock } from '../lib/clock.ts';
import type { Reporters } from '../members/reporters.ts';
import type { Budgets } from './budgets.ts';

export interface ReportNeeds {
  directory: Pick<Directory, 'current'>;
  db: Pool;
  aliases: Pick<Aliases, 'find'>;
  /** Streams as they are known now. */
  streamBoard?: Pick<StreamBoard, 'told'> | undefined;
  /** Undefined where the operator has set up no accounts: then who reports is known until the next start only. */
  doors?: Pick<MemberDoors, 'keys'> | undefined;
  clock?: Clock | undefined;
}

/** The stream a caller is given first when it tunes to a station now. */
export type FirstStream = (call: Call, station: DirectoryStation) => number | undefined;

/** What the actions of a report are given. */
export interface Desk extends ReportNeeds {
  reporters: Reporters;
  budgets: Budgets;
  firstStream: FirstStream;
}

/** Heard, and nothing to say about it. */
export const DONE: Answer = { outlines: [], noStore: true };
