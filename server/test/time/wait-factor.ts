import { setDatabaseWaitFactor } from '../../src/storage/db/wait-factor.ts';

/** On a machine that is busy with tests, a statement may take seconds. */
export const TEST_WAIT_FACTOR = 6;

// Loaded before every test, by scripts/test.ts.
setDatabaseWaitFactor(TEST_WAIT_FACTOR);
// A test that says nothing of processes reads the log, the memory and the CPU of one.
process.env['SERVE_PROCESSES'] ??= '1';
