import type { Pool } from 'pg';
import type { BudgetLimits, Budgets } from '../../../core/accounts/budgets.ts';
import type { MemberAccess } from '../../../core/accounts/member-access.ts';
import type { Reporters } from '../../../core/accounts/reporters.ts';
import type { Directory } from '../../../core/directory/directory.ts';
import type { StreamBoard } from '../../../core/directory/live/keep-streams.ts';
import type { Aliases } from '../../../core/directory/lookup/by-any-id.ts';
import type { DirectoryStation } from '../../../core/directory/snapshot/snapshot.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Call } from '../call/endpoint.ts';

export interface ReportDeps {
  directory: Pick<Directory, 'current'>;
  db: Pool;
  aliases: Pick<Aliases, 'find'>;
  /** The latest state of streams. */
  streamBoard?: Pick<StreamBoard, 'latest'> | undefined;
  /** Undefined without accounts: reporters are then recognised only until the next restart. */
  members?: Pick<MemberAccess, 'keys'> | undefined;
  clock?: Clock | undefined;
  /** Those of all processes, if there are several; limits alone are those of accounts. */
  budgets?: BudgetLimits | Budgets | undefined;
}

/** The first stream that Tune would give this caller now. */
export type FirstStream = (call: Call, station: DirectoryStation) => number | undefined;

/** Dependencies of the report actions. */
export interface ReportContext extends Omit<ReportDeps, 'budgets'> {
  reporters: Reporters;
  budgets: Budgets;
  firstStream: FirstStream;
}
