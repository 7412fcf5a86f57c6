import { Pool, type PoolClient, type QueryConfig, type QueryResult, type QueryResultRow, types } from 'pg';

/** What runs statements: the pool, or one connection inside a transaction. */
export interface Queryable {
  query<Row extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<Row>>;
}

const { INT8, DATE, TIMESTAMPTZ } = types.builtins;
const INT8_ARRAY: number = 1016;
/** As pg reads values when it is not told otherwise, which packages with statements of their own count on. */
const USUAL_TYPES = new Map(
  [INT8, DATE, TIMESTAMPTZ, INT8_ARRAY].map((type) => [type, types.getTypeParser(type)]),
);
// Every id stays below 2^53 (lib/shard.ts refuses more), so bigint columns are plain numbers here.
types.setTypeParser(INT8, Number);
types.setTypeParser(INT8_ARRAY, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)));
// A date is a day, not an instant in the server's zone.
types.setTypeParser(DATE, (text) => text);
// PostgreSQL counts microseconds and a Date milliseconds: a page that starts after a rounded instant would skip rows.
types.setTypeParser(TIMESTAMPTZ, (text) => Temporal.Instant.from(text));

export interface PoolOptions {
  databaseUrl: string;
  size: number;
  applicationName: string;
  statementTimeoutMs?: number;
  /** How long a connection is waited for: until there is one, or one is free. */
  connectTimeoutMs?: number;
  /** For a package with statements of its own, which expects values as pg reads them by itself. */
  hasUsualTypes?: boolean;
}

const STATEMENT_MS = 2000;
const CONNECT_MS = 2000;
/**
 * The server ends a statement that takes too long; a server that says nothing at all is given up this much later. Ample,
 * for the loading of the directory sets a longer time for its statements on the server, and each still fits in here.
 */
const SILENCE_MS = 8000;

const usualParser: typeof types.getTypeParser = (type, format) =>
  (format === 'binary' ? undefined : USUAL_TYPES.get(type)) ?? types.getTypeParser(type, format);

/** Each budget is smaller than its caller's: a call must not wait for a connection longer than a radio waits for us. */
export function createPool(options: PoolOptions): Pool {
  const statementMs = options.statementTimeoutMs ?? STATEMENT_MS;
  const pool = new Pool({
    connectionString: options.databaseUrl,
    max: options.size,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_MS,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementMs,
    // Without this a connection whose other end is gone without a word is waited on for a quarter of an hour.
    query_timeout: statementMs + SILENCE_MS,
    idle_in_transaction_session_timeout: 60_000,
    // Our statements are written to be planned once for all parameters, and a test holds every such plan to its indexes.
    // Left to itself PostgreSQL plans some anew for each call: of a show's topics at 20 million, for 0.7 of 1.0 ms.
    ...(!options.hasUsualTypes && { options: '-c plan_cache_mode=force_generic_plan' }),
    ...(options.hasUsualTypes && { types: { getTypeParser: usualParser } }),
  });
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => undefined);
  // So would one that breaks between two queries of a transaction; the next query of it fails, and that is enough.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('release', (_failure, client) => closeInsideTransaction(client));
  return pool;
}

/**
 * Whoever left a transaction open, the next user of the connection must not work inside it: what PostgreSQL said last decides.
 * The pool takes no connection back that is being closed, and PostgreSQL rolls back what was begun on it.
 */
function closeInsideTransaction(client: PoolClient): void {
  if (client.getTransactionStatus() !== 'I') client.end().catch(() => undefined);
}
