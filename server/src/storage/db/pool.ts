import {
  type ClientBase,
  Pool,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
  types,
} from 'pg';
import { databaseWait } from './wait-factor.ts';

/** What runs statements: the pool, or one connection inside a transaction. */
export interface Queryable {
  query<Row extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<Row>>;
}

const { INT8, DATE, TIMESTAMPTZ } = types.builtins;
const INT8_ARRAY: number = 1016;
/** pg's default parsers, which packages with statements of their own rely on. */
const USUAL_TYPES = new Map(
  [INT8, DATE, TIMESTAMPTZ, INT8_ARRAY].map((type) => [type, types.getTypeParser(type)]),
);
// Every id stays below 2^53 (lib/ids.ts refuses more), so bigint columns are plain numbers here.
types.setTypeParser(INT8, Number);
types.setTypeParser(INT8_ARRAY, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)));
// A date is a day, not an instant in the server's zone.
types.setTypeParser(DATE, (text) => text);
// PostgreSQL counts microseconds and a Date milliseconds: a page that starts after a rounded instant would skip rows.
types.setTypeParser(TIMESTAMPTZ, (text) => Temporal.Instant.from(text));

interface PoolOptions {
  databaseUrl: string;
  size: number;
  applicationName: string;
  statementTimeoutMs?: number;
  /** How long to wait for a new or free connection. */
  connectTimeoutMs?: number;
  /** For a package with statements of its own, which expects values as pg parses them by default. */
  hasUsualTypes?: boolean;
}

const STATEMENT_MS = 2000;
const CONNECT_MS = 2000;
/**
 * The server ends a statement that takes too long; a server that does not respond at all is given up this much later.
 * Generous, because loading the directory sets a longer statement timeout on the server, which must still fit.
 */
const SILENCE_MS = 8000;

const usualParser: typeof types.getTypeParser = (type, format) =>
  (format === 'binary' ? undefined : USUAL_TYPES.get(type)) ?? types.getTypeParser(type, format);

/** Each timeout is shorter than its caller's: a call must not wait for a connection longer than a radio waits. */
export function createPool(options: PoolOptions): Pool {
  const statementMs = options.statementTimeoutMs ?? databaseWait(STATEMENT_MS);
  const pool = new Pool({
    connectionString: options.databaseUrl,
    max: options.size,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs ?? databaseWait(CONNECT_MS),
    idleTimeoutMillis: 60_000,
    statement_timeout: statementMs,
    // Without this a connection to a host that vanished blocks for a quarter of an hour.
    query_timeout: statementMs + SILENCE_MS,
    idle_in_transaction_session_timeout: 60_000,
    // Our statements are written to be planned once for all parameters, and a test checks that every such plan uses its
    // indexes. By default PostgreSQL plans some again on each call: for a show's topics at 20 million, 0.7 of 1.0 ms.
    ...(!options.hasUsualTypes && {
      options: '-c plan_cache_mode=force_generic_plan',
      // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, which its types do not say
      onConnect: planOnCitus,
    }),
    ...(options.hasUsualTypes && { types: { getTypeParser: usualParser } }),
  });
  // An idle connection that breaks is replaced at the next query; without a listener it would crash the process.
  pool.on('error', () => undefined);
  // So would one that breaks between two queries of a transaction; its next query fails, and that is enough.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('release', (_failure, client) => closeInsideTransaction(client));
  return pool;
}

/** Citus finds the server of a statement by its parameters, and has no plan for all of them. */
async function planOnCitus(client: ClientBase): Promise<void> {
  await client.query(
    "SELECT set_config('plan_cache_mode', 'auto', false) FROM pg_extension WHERE extname = 'citus'",
  );
}

/**
 * If a transaction was left open, the next user of the connection must not work inside it: the last transaction status
 * from PostgreSQL decides. The pool does not take back a connection that is being closed, and PostgreSQL rolls back its
 * transaction.
 */
function closeInsideTransaction(client: PoolClient): void {
  if (client.getTransactionStatus() !== 'I') client.end().catch(() => undefined);
}

const ADVICE: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there: start PostgreSQL, or correct DATABASE_URL',
  ENOTFOUND: 'no such host: correct DATABASE_URL',
  '28P01': 'it refused the password: correct DATABASE_URL',
  '28000': 'it refused this user: correct DATABASE_URL, or its pg_hba.conf',
  '3D000': 'it has no such database: create it, or correct DATABASE_URL',
  '42P01': 'its tables are missing: run longwave migrate',
  '57P03': 'it is still starting: try again in a moment',
  '53300': 'all its connections are taken: raise its max_connections, or lower DATABASE_POOL_SIZE',
  '25006': 'it is read-only, as a standby is: point DATABASE_URL to the primary',
};

/** The driver gives these errors no code. */
const SILENCE = /^(Connection terminated due to connection timeout|timeout exceeded when trying to connect)$/;
const SILENT =
  'it did not answer in time: check that it is running and not overloaded, or correct DATABASE_URL';

/** What to do about a failure that the operator can fix, with where it happened; undefined for any other. */
export function adviceOn(failure: unknown, databaseUrl: string): string | undefined {
  const isSilent = failure instanceof Error && SILENCE.test(failure.message);
  const advice = isSilent ? SILENT : ADVICE[codeOf(failure)];
  return advice && `PostgreSQL at ${whereOf(databaseUrl)}: ${advice}`;
}

/** Several addresses of one host fail together, each with its own error inside. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Host, port and database, without the password. */
export function whereOf(databaseUrl: string): string {
  const url = URL.parse(databaseUrl);
  const isPostgres = url?.protocol === 'postgres:' || url?.protocol === 'postgresql:';
  // The folder of a socket is told as a parameter.
  return isPostgres
    ? `${url.host || (url.searchParams.get('host') ?? '')}${url.pathname}`
    : 'an address that is not postgres://…';
}
