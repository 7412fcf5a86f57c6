import { setDatabaseWaitFactor } from '../src/storage/db/wait-factor.ts';

/** On a machine that is busy with tests, a statement may take seconds. */
export const TEST_WAIT_FACTOR = 6;

// Loaded before every test, by scripts/test.ts.
setDatabaseWaitFactor(TEST_WAIT_FACTOR);
