import { getHeapStatistics } from 'node:v8';

/** Enough for a batch, the next one and the world's places, with room to breathe. */
const HEAP_MB = 160;

/**
 * Left alone, V8 lets garbage pile up as far as the machine's memory invites it to (450 MB for an import that does
 * as well in 250). A limit can only be given at the start, so the process starts again in its own place, once.
 */
export function keepHeapSmall(): void {
  const isSmall = getHeapStatistics().heap_size_limit < 2 * HEAP_MB * 2 ** 20;
  if (isSmall || !process.execve) return;
  const flags = [
    `--max-old-space-size=${HEAP_MB}`,
    '--max-semi-space-size=16',
    '--disable-warning=ExperimentalWarning',
  ];
  process.execve(process.execPath, [
    process.execPath,
    ...flags,
    ...process.execArgv,
    ...process.argv.slice(1),
  ]);
}
