import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MetricsReport } from '../../../net/http/metrics.ts';
import { PlaceBook } from './place-book.ts';
import { ReportBook } from './report-book.ts';
import { parsePlace, writePlace } from './supervisor.ts';

const LIMITS = { listeners: 3, perAddress: 2, perPartner: 1, conversions: 1 };
const claim = (who: string, peer = who) => ({ who, peer });

test('places are counted over all processes, and those of one that ended are free', () => {
  const book = new PlaceBook<string>(LIMITS);
  assert.deepEqual(book.take('one', claim('a', 'x')), { place: 1 });
  assert.deepEqual(book.take('other', claim('b', 'x')), { place: 2 });
  assert.equal('refusal' in book.take('one', claim('c', 'x')) && 'peer', 'peer');
  assert.deepEqual(book.take('other', claim('d')), { place: 3 });
  const full = book.take('one', claim('e'));
  assert.equal('refusal' in full && full.refusal, 'full');
  book.forget('other');
  assert.deepEqual(book.take('one', claim('e')), { place: 4 });
  assert.deepEqual(book.take('one', claim('f')), { place: 5 });
});

test('a place goes with its listener: it is counted once, and the process before has no say in it', () => {
  const book = new PlaceBook<string>({ ...LIMITS, listeners: 1 });
  book.take('old', claim('a'));
  book.move('old', 'new', 1);
  book.leave('old', 1);
  book.forget('old');
  assert.ok('refusal' in book.take('new', claim('b')), 'it is taken still');
  book.leave('new', 1);
  book.leave('new', 1);
  assert.ok('place' in book.take('new', claim('b')));
  assert.ok('refusal' in book.take('new', claim('c')), 'what is given back twice is free once');
});

test('a conversion that is under way is not refused to the process that takes it over', () => {
  const book = new PlaceBook<string>(LIMITS);
  assert.ok('place' in book.take('old', { converts: true, isBegun: false }));
  assert.ok('refusal' in book.take('new', { converts: true, isBegun: false }));
  assert.ok('place' in book.take('new', { converts: true, isBegun: true }));
});

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
