import type { Pool } from 'pg';
import type { Config } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SafeFetcher } from '../../lib/fetch-safely/fetch-safely.ts';
import type { Finding } from './finding.ts';

/** What checks look at. None of them writes anything. */
export interface Patient {
  config: Config;
  /** What is wrong with the settings; each that is malformed counts as unset. */
  problems: readonly string[];
  pool: Pool;
  /** For the operator's own servers, wherever they are. */
  ownFetcher: SafeFetcher;
  /** For streams, whose addresses strangers gave. */
  streamFetcher: SafeFetcher;
  /** Where the server is asked, when not where the settings say. */
  baseUrl: string | undefined;
  /** Where the built site is. */
  siteFolder: string;
  clock: Clock;
}

export interface Check {
  title: string;
  /** It says so itself when the database is away; the others only say that they could not look. */
  tellsOfDatabase?: boolean;
  /** Longer than usual, where somebody else's server is waited for. */
  deadlineMs?: number;
  look(patient: Patient, signal: AbortSignal): Promise<Finding[]>;
}
