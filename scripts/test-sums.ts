import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

/** A reporter for the gate: the totals of all tests, one per line, and how long each file took. */
export default async function* testSums(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const took = new Map<string, number>();
  for await (const { type, data } of events) {
    if (type === 'test:summary' && data.file === undefined)
      for (const [name, count] of Object.entries(data.counts)) yield `# ${name} ${count}\n`;
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting > 0) continue;
    const file = relative(process.cwd(), data.file ?? '');
    took.set(file, (took.get(file) ?? 0) + data.details.duration_ms);
  }
  const slowest = [...took].toSorted(([, a], [, b]) => b - a);
  for (const [file, ms] of slowest) yield `${(ms / 1000).toFixed(1).padStart(7)} s ${file}\n`;
}
