import type { Pool } from 'pg';
import type { Config } from './config.ts';
import { createPool } from './db/pool.ts';
import { createLog, type Log } from './lib/log.ts';

/** What the commands are given; closed in the reverse order of its making. */
export interface Context extends AsyncDisposable {
  config: Config;
  log: Log;
  pool: Pool;
}

export interface ContextOptions {
  /** Shown to whoever looks at the database's connections. */
  name: string;
  /** Imports and migrations do in one statement what a call never may. */
  statementTimeoutMs?: number;
}

export function openContext(config: Config, { name, statementTimeoutMs }: ContextOptions): Context {
  const log = createLog({ level: config.logLevel });
  const pool = createPool({
    databaseUrl: config.databaseUrl,
    size: config.databasePoolSize,
    applicationName: `longwave ${name}`,
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
