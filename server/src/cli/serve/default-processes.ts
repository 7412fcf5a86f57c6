import { availableParallelism, totalmem } from 'node:os';

/** Each process holds a directory, and for a moment the next one too; PostgreSQL and the worker need memory as well. */
const MEMORY_EACH = 2 * 2 ** 30;
/** Each has connections of its own to PostgreSQL, which takes a hundred unless told. */
const MAX_PROCESSES = 16;

/** One for each core, as far as there is memory; in a container, of what that may use. */
export function defaultProcesses(cores = availableParallelism(), bytes = usableMemory()): number {
  return Math.max(1, Math.min(cores, Math.floor(bytes / MEMORY_EACH), MAX_PROCESSES));
}

function usableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
