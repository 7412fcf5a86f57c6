/** SQLSTATE classes that say the server cannot answer now, not that the question was wrong. */
const AWAY_CLASSES = new Set(['08', '53', '57', '58']);
/**
 * And the single ones: a server that only reads, as one that has not taken over yet, and those of two who were in each
 * other's way that PostgreSQL sent back. Asked again in a moment, the same will do.
 */
const AWAY_CODES = new Set(['25006', '40001', '40P01', '55P03']);
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Whether a reading failed because its server is away, slow or full; anything else is a mistake of ours. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (SQLSTATE.test(code)) return AWAY_CLASSES.has(code.slice(0, 2)) || AWAY_CODES.has(code);
  // It never came to an answer: refused, reset, no connection in time.
  return error.name === 'Error';
}
