import type { Pool } from 'pg';
import type { Config } from '../../app/config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import type { Misspelled } from '../../app/settings/misspelled.ts';
import { isAway } from '../../storage/cache/away.ts';
import type { Machine } from './machine.ts';

/** Input of the checks, all of which are read-only. */
export interface CheckContext {
  config: Config;
  /** Problems with the settings; malformed settings count as unset. */
  problems: readonly string[];
  /** Variables of the environment that are probably misspelled settings. */
  misspelled: readonly Misspelled[];
  pool: Pool;
  /** For the operator's own servers, including local ones. */
  ownFetcher: SafeFetcher;
  /** For streams, whose addresses are untrusted. */
  streamFetcher: SafeFetcher;
  /** The server to query, if not the one in the settings. */
  baseUrl: string | undefined;
  /** Where the built site is. */
  siteFolder: string;
  clock: Clock;
  machine: Machine;
}

export interface Check {
  title: string;
  /** Reports an unreachable database itself; other checks only say that they could not run. */
  showsDatabase?: boolean;
  /** A longer timeout, for checks that wait for remote servers. */
  deadlineMs?: number;
  look(context: CheckContext, signal: AbortSignal): Promise<Finding[]>;
}

/** Fine; for information; worth a look; must be fixed; could not be checked. */
export type State = 'well' | 'note' | 'warning' | 'broken' | 'unknown';

/** One line of the report. */
export interface Finding {
  name: string;
  state: State;
  text: string;
  /** The command or setting that fixes it, if there is something to fix. */
  mend?: string;
}

export const well = (name: string, text: string): Finding => ({ name, state: 'well', text });
export const unknown = (name: string, text: string): Finding => ({ name, state: 'unknown', text });
export const note = (name: string, text: string, mend?: string): Finding => finding('note', name, text, mend);
export const warning = (name: string, text: string, mend: string): Finding =>
  finding('warning', name, text, mend);
export const broken = (name: string, text: string, mend: string): Finding =>
  finding('broken', name, text, mend);

const finding = (state: State, name: string, text: string, mend?: string): Finding => ({
  name,
  state,
  text,
  ...(mend !== undefined && { mend }),
});

const NO_SUCH_TABLE = '42P01';
const NO_SUCH_COLUMN = '42703';

/** Checks that need the database are not reported as broken with it, so that one cause is reported once. */
export function unknownFor(name: string, error: unknown): Finding | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === NO_SUCH_TABLE || code === NO_SUCH_COLUMN)
    return unknown(name, 'not checked: the schema is not that of this version');
  // The PostgreSQL check reports wrong passwords, missing databases and closed ports.
  const isUnanswered = isAway(error) || /^(?:28|3D)/.test(code);
  return isUnanswered ? unknown(name, 'not checked: PostgreSQL does not answer') : undefined;
}

/** For a finding that needs the database within a check that otherwise does not. */
export async function orUnknown(name: string, look: Promise<Finding>): Promise<Finding> {
  try {
    return await look;
  } catch (error) {
    const found = unknownFor(name, error);
    if (found) return found;
    throw error;
  }
}
