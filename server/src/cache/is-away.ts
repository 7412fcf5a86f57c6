/** SQLSTATE classes that say the server cannot answer now, not that the question was wrong. */
const AWAY_CLASSES = new Set(['08', '53', '57', '58']);
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Whether a reading failed because its server is away, slow or full; anything else is a mistake of ours. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // Without a SQLSTATE it never came to an answer: refused, reset, no connection in time.
  return SQLSTATE.test(code) ? AWAY_CLASSES.has(code.slice(0, 2)) : error.name === 'Error';
}
