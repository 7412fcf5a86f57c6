import { Fault } from '../../lib/fault.ts';

/** The fault code while the database is unreachable. */
export const UNAVAILABLE = 'service.unavailable';

/** Says what still works, since most things do. */
export const unavailable = (cause?: unknown): Fault =>
  Object.assign(
    new Fault(
      503,
      UNAVAILABLE,
      'The database is not responding right now; stations can still be browsed and tuned. Try again in a minute',
    ),
    { cause },
  );

/** SQLSTATE classes that mean the server cannot answer now, not that the query was wrong. */
const AWAY_CLASSES = new Set(['08', '53', '57', '58']);
/**
 * And single codes: a read-only server, such as a standby not yet promoted, and serialization failures, deadlocks and
 * lock timeouts. The last is Citus's: a part of the query was worked out on a server that its rows have just moved away
 * from. The same query will work in a moment.
 */
const AWAY_CODES = new Set(['25006', '40001', '40P01', '55P03', 'CIINF']);
const SQLSTATE = /^[0-9A-Z]{5}$/;
const INTERNAL_ERROR = 'XX000';
/** What a coordinator of Citus says, with the code of an internal error, when a worker goes in the middle: mostly libpq's words. */
const WORKER_LOST =
  /^(?:failure on connection marked as essential|server closed the connection unexpectedly|connection not open|no connection to the server|could not (?:receive data from|send data to) server)/;

/** Whether a query failed because its server is unreachable, slow or full; anything else is a bug of ours. */
export function isAway(error: unknown): boolean {
  // Several addresses of one host fail together, each with its own error inside.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isAway);
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === INTERNAL_ERROR) return WORKER_LOST.test(error.message);
  if (SQLSTATE.test(code)) return AWAY_CLASSES.has(code.slice(0, 2)) || AWAY_CODES.has(code);
  // There was no response: refused, reset, or no connection in time.
  return error.name === 'Error';
}
