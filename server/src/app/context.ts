import type { Pool } from 'pg';
import type { Config } from './config.ts';
import { setDatabaseWaitFactor } from '../storage/db/wait-factor.ts';
import { createPool } from '../storage/db/pool.ts';
import { createLog, type Log } from '../lib/log.ts';

/** Passed to the commands; closed in the reverse order of creation. */
export interface Context extends AsyncDisposable {
  config: Config;
  log: Log;
  pool: Pool;
}

export interface ContextOptions {
  /** The application name that PostgreSQL shows for its connections. */
  name: string;
  /** Imports and migrations run statements that are too slow for a call. */
  statementTimeoutMs?: number;
  /** For a long-running process that retries by itself: it must not wait for a connection as long as a command does. */
  isService?: boolean;
}

/** A person waits for a command, perhaps on a machine that is still busy after an import. */
const COMMAND_CONNECT_MS = 20_000;

export function openContext(config: Config, options: ContextOptions): Context {
  const { name, statementTimeoutMs, isService = false } = options;
  const log = createLog({ level: config.logLevel });
  setDatabaseWaitFactor(config.databaseWaitFactor);
  const pool = createPool({
    databaseUrl: config.databaseUrl,
    size: config.databasePoolSize,
    applicationName: `longwave ${name}`,
    ...(!isService && { connectTimeoutMs: COMMAND_CONNECT_MS }),
    ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
  });
  return {
    config,
    log,
    pool,
    async [Symbol.asyncDispose]() {
      await pool.end();
    },
  };
}
