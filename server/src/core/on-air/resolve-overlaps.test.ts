import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveOverlaps } from './resolve-overlaps.ts';

const at = (hour: number): Temporal.Instant =>
  Temporal.Instant.from('2026-01-01T00:00:00Z').add({ minutes: hour * 60 });
const hours = (instant: Temporal.Instant): number => at(0).until(instant).total('hours');
type Short = [title: string, start: number, end?: number];

const resolve = (...entries: Short[]): { resolved: string[]; endless: string[] } => {
  const { resolved, endless } = resolveOverlaps(
    entries.map(([title, start, end]) => ({
      title,
      start: at(start),
      end: end === undefined ? undefined : at(end),
    })),
  );
  return {
    resolved: resolved.map(({ title, start, end }) => `${title} ${hours(start)}-${hours(end)}`),
    endless: endless.map(({ title }) => title),
  };
};

const TABLE: [what: string, entries: Short[], resolved: string[], endless?: string[]][] = [
  [
    'in whatever order they come',
    [
      ['B', 7, 8],
      ['A', 6, 7],
    ],
    ['A 6-7', 'B 7-8'],
  ],
  [
    'without an end until the next begins',
    [
      ['A', 6],
      ['B', 9, 10],
    ],
    ['A 6-9', 'B 9-10'],
  ],
  [
    'the last without an end',
    [
      ['A', 6, 9],
      ['B', 9],
    ],
    ['A 6-9'],
    ['B'],
  ],
  [
    'two at once without ends',
    [
      ['A', 6],
      ['B', 6],
      ['C', 7, 8],
    ],
    ['A 6-7', 'C 7-8'],
  ],
  [
    'a bulletin inside',
    [
      ['Show', 6, 9],
      ['News', 7, 7.25],
    ],
    ['Show 6-9', 'News 7-7.25'],
  ],
  [
    'a bulletin at the start gives way',
    [
      ['News', 6, 6.25],
      ['Show', 6, 9],
    ],
    ['Show 6-9'],
  ],
  [
    'bulletins inside one after the other',
    [
      ['Show', 6, 9],
      ['N1', 7, 7.25],
      ['N2', 8, 8.25],
    ],
    ['Show 6-9', 'N1 7-7.25', 'N2 8-8.25'],
  ],
  [
    'a part of a part',
    [
      ['Show', 6, 9],
      ['Hour', 7, 8],
      ['News', 7.5, 8],
      ['Next', 9, 10],
    ],
    ['Show 6-9', 'Hour 7-8', 'News 7.5-8', 'Next 9-10'],
  ],
  [
    'the second of two that overlap wins',
    [
      ['A', 6, 9],
      ['B', 8, 10],
    ],
    ['A 6-8', 'B 8-10'],
  ],
  [
    'and ends all that it cuts',
    [
      ['A', 6, 9],
      ['Part', 7, 8.5],
      ['B', 8, 10],
    ],
    ['A 6-8', 'Part 7-8', 'B 8-10'],
  ],
  [
    'a gap stays',
    [
      ['A', 6, 7],
      ['B', 9, 10],
    ],
    ['A 6-7', 'B 9-10'],
  ],
  [
    'backwards, without length, too long',
    [
      ['A', 6, 5],
      ['B', 7, 7],
      ['C', 8, 57],
    ],
    [],
    ['C', 'B', 'A'],
  ],
  ['nothing', [], []],
];
for (const [what, entries, resolved, endless = []] of TABLE)
  test(what, () => assert.deepEqual(resolve(...entries), { resolved: resolved, endless }));
