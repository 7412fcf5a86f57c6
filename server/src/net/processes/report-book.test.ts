import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MetricsReport } from '../http/metrics.ts';
import { parsePlace, writePlace } from './place.ts';
import { ReportBook } from './report-book.ts';

const reportOf = (bytes: number, listeners: number): MetricsReport => [
  { ...about('bytes_total', 'counter'), values: [{ labels: { direction: 'in' }, value: bytes }] },
  { ...about('listeners', 'gauge'), values: [{ labels: {}, value: listeners }] },
];
const about = (name: string, type: string) =>
  // oxlint-disable-next-line no-unsafe-type-assertion -- as it comes from another process
  ({ name, help: name, type, aggregator: 'sum' }) as unknown as MetricsReport[number];
const sumOf = (reports: readonly MetricsReport[], name: string): number =>
  reports
    .flat()
    .filter((metric) => metric.name === name)
    .flatMap(({ values }) => values)
    .reduce((sum, { value }) => sum + value, 0);

test('counts of processes that ended stay, what they had does not, and one that does not answer is told of as before', async () => {
  const book = new ReportBook<string>();
  const answers: Record<string, MetricsReport | undefined> = { one: reportOf(10, 1), other: reportOf(5, 2) };
  const gather = (): Promise<MetricsReport[]> =>
    book.gather(['one', 'other'], (holder, round) => {
      const report = answers[holder];
      if (report) book.hear(holder, report, round);
    });
  const first = await gather();
  assert.deepEqual([sumOf(first, 'bytes_total'), sumOf(first, 'listeners')], [15, 3]);
  answers['other'] = undefined;
  const second = await gather();
  assert.deepEqual([sumOf(second, 'bytes_total'), sumOf(second, 'listeners')], [15, 3]);
  book.forget('other');
  book.hear('third', reportOf(1, 0));
  book.forget('third');
  const last = await book.gather(['one'], (holder, round) => book.hear(holder, reportOf(11, 1), round));
  assert.deepEqual([sumOf(last, 'bytes_total'), sumOf(last, 'listeners')], [17, 1]);
});

test('a process reads its place as it was told it', () => {
  assert.deepEqual(parsePlace(writePlace(1, 4)), { place: 1, of: 4 });
  for (const text of ['', '0/2', '3/2', '1', 'x/2', '1/2/3']) assert.equal(parsePlace(text), undefined, text);
});
