import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

/** Of what a failed test says; the whole of it stands where the test ran. */
const MAX_LINES = 12;
const MAX_LETTERS = 200;

/**
 * A reporter for the gate: the totals of all tests, one per line, how long each file took, and once more, after "!", what
 * failed and why.
 */
export default async function* testSums(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const took = new Map<string, number>();
  for await (const { type, data } of events) {
    if (type === 'test:summary' && data.file === undefined)
      for (const [name, count] of Object.entries(data.counts)) yield `# ${name} ${count}\n`;
    if (type === 'test:fail' && data.details.error.cause !== undefined && !isOfParts(data.details.error))
      yield failed(data.name, relative(process.cwd(), data.file ?? ''), data.details.error.cause);
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting > 0) continue;
    const file = relative(process.cwd(), data.file ?? '');
    took.set(file, (took.get(file) ?? 0) + data.details.duration_ms);
  }
  const slowest = [...took].toSorted(([, a], [, b]) => b - a);
  for (const [file, ms] of slowest) yield `${(ms / 1000).toFixed(1).padStart(7)} s ${file}\n`;
}

/** Where a part of it failed, which is told by itself. */
const isOfParts = (error: Error): boolean => 'failureType' in error && error.failureType === 'subtestsFailed';

function failed(name: string, file: string, cause: unknown): string {
  const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  const lines = reason.split('\n', MAX_LINES).map((line) => `!     ${line.slice(0, MAX_LETTERS)}\n`);
  return `! ${file}: ${name}\n${lines.join('')}`;
}
