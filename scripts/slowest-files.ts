import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

const MOST = 15;

/** A reporter that says at the end which test files took the longest: where to look when the gate grows. */
export default async function* slowestFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const took = new Map<string, number>();
  for await (const { type, data } of events) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting > 0) continue;
    const file = relative(process.cwd(), data.file ?? '');
    took.set(file, (took.get(file) ?? 0) + data.details.duration_ms);
  }
  const slowest = [...took].toSorted(([, a], [, b]) => b - a).slice(0, MOST);
  yield '\nthe slowest files, in seconds\n';
  for (const [file, ms] of slowest) yield `${(ms / 1000).toFixed(1).padStart(7)} ${file}\n`;
}
