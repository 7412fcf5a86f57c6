import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endAfterCount } from './end-after-count.ts';
import { occurrencesOf } from './occurrences.ts';
import { parseRecurrence } from './parse-recurrence.ts';
import { civilOf } from './recurrence.ts';

const NEW_YORK = 'America/New_York';

/** Starts by the clock from the start on, as many as asked for, within so many days. */
function starts(
  start: string,
  recurrence: string,
  { days = 400, except = [] as string[], zone = NEW_YORK } = {},
): string[] {
  const local = Temporal.PlainDateTime.from(start);
  const from = local.toZonedDateTime(zone).toInstant();
  const rule = { zone, start: local, lengthSeconds: 1800, recurrence, except };
  return occurrencesOf(rule, from, from.add({ hours: 24 * days })).map(({ start: at }) =>
    at.toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'minute' }),
  );
}

/** Most are examples of RFC 5545, 3.8.5.3, which say in words what is expected. */
const TABLE: [start: string, rule: string, firstStarts: string[], count?: number][] = [
  ['1997-09-02T09:00', 'FREQ=DAILY;UNTIL=19971224T000000Z', ['1997-09-02T09:00', '1997-09-03T09:00'], 113],
  [
    '1997-09-02T09:00',
    'FREQ=DAILY;INTERVAL=10;UNTIL=19971012T130000Z',
    ['1997-09-02T09:00', '1997-09-12T09:00', '1997-09-22T09:00', '1997-10-02T09:00', '1997-10-12T09:00'],
    5,
  ],
  [
    '1997-09-02T09:00',
    'FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,TH;UNTIL=19971016T130000Z',
    [
      '1997-09-02T09:00',
      '1997-09-04T09:00',
      '1997-09-16T09:00',
      '1997-09-18T09:00',
      '1997-09-30T09:00',
      '1997-10-02T09:00',
      '1997-10-14T09:00',
      '1997-10-16T09:00',
    ],
    8,
  ],
  [
    '1997-09-01T09:00',
    'FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO,WE,FR;UNTIL=19971224T000000Z',
    ['1997-09-01T09:00', '1997-09-03T09:00', '1997-09-05T09:00', '1997-09-15T09:00'],
    25,
  ],
  // The week's first day decides which days of a fortnight are in one week.
  [
    '1997-08-05T09:00',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=MO;UNTIL=19970824T130000Z',
    ['1997-08-05T09:00', '1997-08-10T09:00', '1997-08-19T09:00', '1997-08-24T09:00'],
    4,
  ],
  [
    '1997-08-05T09:00',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU;UNTIL=19970831T130000Z',
    ['1997-08-05T09:00', '1997-08-17T09:00', '1997-08-19T09:00', '1997-08-31T09:00'],
    4,
  ],
  [
    '1997-09-05T09:00',
    'FREQ=MONTHLY;BYDAY=1FR;UNTIL=19971224T000000Z',
    ['1997-09-05T09:00', '1997-10-03T09:00', '1997-11-07T09:00', '1997-12-05T09:00'],
    4,
  ],
  [
    '1997-09-07T09:00',
    'FREQ=MONTHLY;INTERVAL=2;BYDAY=1SU,-1SU',
    [
      '1997-09-07T09:00',
      '1997-09-28T09:00',
      '1997-11-02T09:00',
      '1997-11-30T09:00',
      '1998-01-04T09:00',
      '1998-01-25T09:00',
    ],
  ],
  [
    '1997-09-28T09:00',
    'FREQ=MONTHLY;BYMONTHDAY=-3',
    [
      '1997-09-28T09:00',
      '1997-10-29T09:00',
      '1997-11-28T09:00',
      '1997-12-29T09:00',
      '1998-01-29T09:00',
      '1998-02-26T09:00',
    ],
  ],
  [
    '1998-02-13T09:00',
    'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
    ['1998-02-13T09:00', '1998-03-13T09:00', '1998-11-13T09:00'],
    3,
  ],
  [
    '1997-09-04T09:00',
    'FREQ=MONTHLY;BYDAY=TU,WE,TH;BYSETPOS=3;UNTIL=19971107T000000Z',
    ['1997-09-04T09:00', '1997-10-07T09:00', '1997-11-06T09:00'],
    3,
  ],
  [
    '1997-09-29T09:00',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2',
    ['1997-09-29T09:00', '1997-10-30T09:00', '1997-11-27T09:00', '1997-12-30T09:00'],
  ],
  [
    '1996-11-05T09:00',
    'FREQ=YEARLY;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
    ['1996-11-05T09:00', '1997-11-04T09:00'],
  ],
  ['2026-01-31T09:00', 'FREQ=MONTHLY', ['2026-01-31T09:00', '2026-03-31T09:00', '2026-05-31T09:00']],
  [
    '2026-01-01T06:30',
    'FREQ=DAILY;BYHOUR=6,12',
    ['2026-01-01T06:30', '2026-01-01T12:30', '2026-01-02T06:30'],
  ],
  [
    '2026-01-01T08:00',
    'FREQ=HOURLY;INTERVAL=8',
    ['2026-01-01T08:00', '2026-01-01T16:00', '2026-01-02T00:00'],
  ],
];
for (const [start, rule, expected, count] of TABLE) {
  test(`${rule} from ${start}`, () => {
    const found = starts(start, rule);
    assert.deepEqual(found.slice(0, expected.length), expected);
    if (count !== undefined) assert.equal(found.length, count);
  });
}

test('a count becomes the last start', () => {
  const start = Temporal.PlainDateTime.from('1997-09-02T09:00');
  const ended = (text: string): string =>
    endAfterCount(text, parseRecurrence(text, start, NEW_YORK), start, { daysLeft: 500 });
  assert.throws(() => ended('FREQ=MONTHLY;COUNT=40'), /too large; use UNTIL instead/);
  assert.equal(ended('FREQ=DAILY;COUNT=10'), 'FREQ=DAILY;UNTIL=19970911T090000');
  assert.equal(ended('FREQ=DAILY;COUNT=3000'), 'FREQ=DAILY;UNTIL=20051118T090000');
  assert.equal(ended('FREQ=YEARLY;COUNT=10'), 'FREQ=YEARLY;UNTIL=20060902T090000');
  assert.equal(ended('COUNT=3;FREQ=DAILY;BYHOUR=8,9,10'), 'FREQ=DAILY;BYHOUR=8,9,10;UNTIL=19970903T080000');
  assert.equal(starts('1997-09-02T09:00', ended('FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH')).length, 10);
});

test('a rule that never comes ends after a hundred years', () => {
  const start = Temporal.PlainDateTime.from('2026-01-07T09:30');
  for (const rule of ['FREQ=MONTHLY;INTERVAL=12;BYMONTH=3', 'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30']) {
    const text = `${rule};COUNT=3`;
    const ended = endAfterCount(text, parseRecurrence(text, start, NEW_YORK), start, { daysLeft: 10_000 });
    assert.equal(ended, `${rule};UNTIL=21260108T000000`);
  }
});

test('what is excepted is left out, by its time or by its whole day', () => {
  assert.deepEqual(
    starts('2026-01-01T06:00', 'FREQ=DAILY', { days: 4, except: ['2026-01-02T06:00:00', '2026-01-03'] }),
    ['2026-01-01T06:00', '2026-01-04T06:00'],
  );
});

test('a rule of long ago costs no more than one of today', () => {
  const rule = {
    zone: 'UTC',
    start: Temporal.PlainDateTime.from('1601-01-01T06:00'),
    lengthSeconds: 60,
    recurrence: 'FREQ=DAILY;INTERVAL=7',
    except: [],
  };
  const from = Temporal.Instant.from('2026-01-01T00:00:00Z');
  const started = process.cpuUsage();
  assert.equal(occurrencesOf(rule, from, from.add({ hours: 24 * 21 })).length, 3);
  assert.ok(process.cpuUsage(started).user < 100_000);
});

const REFUSED: [rule: string, why: RegExp][] = [
  ['', /FREQ= is not one of/],
  ['FREQ=SECONDLY', /FREQ=SECONDLY is not one of/],
  ['FREQ=HOURLY;INTERVAL=7', /does not divide a day/],
  ['FREQ=DAILY;INTERVAL=0', /INTERVAL=0 is not a number from 1/],
  ['FREQ=DAILY;COUNT=99999999', /COUNT=99999999 is not a number/],
  ['FREQ=WEEKLY;BYDAY=XX', /not a weekday/],
  ['FREQ=WEEKLY;BYDAY=2MO', /a numbered BYDAY/],
  ['FREQ=YEARLY;BYWEEKNO=20', /BYWEEKNO is not supported/],
  ['FREQ=DAILY;UNTIL=soon', /UNTIL=SOON is not a time/],
  ['FREQ=DAILY;BYSETPOS=1', /BYSETPOS is only supported with/],
  ['FREQ=MONTHLY;BYMONTHDAY=0', /BYMONTHDAY=0/],
];
for (const [rule, why] of REFUSED) {
  test(`refused: ${rule}`, () => {
    assert.throws(() => parseRecurrence(rule, Temporal.PlainDateTime.from('2026-01-01T06:00'), 'UTC'), why);
  });
}

test('days are told as dates are, through leap years and before 1970', () => {
  for (let day = -200_000; day < 200_000; day += 97) {
    const date = new Date(day * 86_400_000);
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
    const expected = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), last];
    const { year, month, date: dayOfMonth, lastDate } = civilOf(day);
    assert.deepEqual([year, month, dayOfMonth, lastDate], expected);
  }
});

test('a count over whole rounds and months ends where counting day by day does', () => {
  const start = Temporal.PlainDateTime.from('2026-01-07T09:30');
  const rules = [
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,SU', 46],
    ['FREQ=WEEKLY;BYDAY=TU;WKST=SU', 20],
    ['FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,SU;WKST=SU', 31],
    ['FREQ=DAILY;INTERVAL=3;BYHOUR=8,9,10', 100],
    ['FREQ=DAILY;BYDAY=SA,SU', 41],
    ['FREQ=YEARLY;BYMONTH=2,12;BYMONTHDAY=29', 5],
    ['FREQ=DAILY;INTERVAL=2;BYMONTH=2,7', 70],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;BYMONTH=3', 12],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1', 60],
    ['FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=31,-2;BYHOUR=9,20', 20],
    ['FREQ=YEARLY;INTERVAL=2', 4],
  ] as const;
  for (const [rule, count] of rules) {
    const text = `${rule};COUNT=${count}`;
    const ended = endAfterCount(text, parseRecurrence(text, start, NEW_YORK), start, { daysLeft: 10_000 });
    const found = starts('2026-01-07T09:30', ended, { days: 3000 });
    const all = starts('2026-01-07T09:30', rule, { days: 3000 });
    assert.deepEqual(found, all.slice(0, count), rule);
    assert.equal(found.length, count, rule);
  }
});
