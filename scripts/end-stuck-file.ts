/**
 * Preloaded into the process of each test file: where setting up fails, what was opened may keep the process alive, and one such
 * file would hold up all that come after it. The timer itself keeps no process alive.
 */
const minutes = Number(process.env['TEST_FILE_MINUTES'] ?? 0);
const isTestFile = process.env['NODE_TEST_CONTEXT'] !== undefined;

if (minutes > 0 && isTestFile)
  setTimeout(() => {
    console.error(`${process.argv[1]} has not ended in ${minutes} minutes and is ended now`);
    process.exit(1);
  }, minutes * 60_000).unref();
