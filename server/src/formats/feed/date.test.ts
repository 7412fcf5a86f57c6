import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDuration, parseFeedDate } from './date.ts';

const DATES: [text: string, instant: string | undefined][] = [
  ['Tue, 05 Mar 2024 08:00:00 +0000', '2024-03-05T08:00:00Z'],
  ['Tue, 5 Mar 2024 08:00:00 GMT', '2024-03-05T08:00:00Z'],
  ['Tue, 05 Mar 2024 08:00 EST', '2024-03-05T13:00:00Z'],
  ['05 Mar 24 08:00:00 PDT', '2024-03-05T15:00:00Z'],
  ['05 Mar 99 08:00:00 Z', '1999-03-05T08:00:00Z'],
  ['Tue, 05 March 2024 08:00:00 -05:30', '2024-03-05T13:30:00Z'],
  ['Tue 05 Mar 2024 08:00:00 +1', '2024-03-05T07:00:00Z'],
  ['Tue, 05 Mar 2024 08:00:00 GMT+2', '2024-03-05T06:00:00Z'],
  ['Tue, 05 Mar 2024 08:00:00 +0100 (CET)', '2024-03-05T07:00:00Z'],
  ['Tue, 05 Mar 2024 08:00:00', '2024-03-05T08:00:00Z'],
  ['Tue, 05-Mar-2024 24:00:00 UT', '2024-03-06T00:00:00Z'],
  ['Di, 05 Mär 2024 08:00:00 MEZ', '2024-03-05T07:00:00Z'],
  ['mer., 14 août 2024 08:00:00 +0200', '2024-08-14T06:00:00Z'],
  ['14 juillet 2024', '2024-07-14T00:00:00Z'],
  ['14 juin 2024', '2024-06-14T00:00:00Z'],
  ['2 dic 2024 1:02', '2024-12-02T01:02:00Z'],
  ['2024-03-05T08:00:00Z', '2024-03-05T08:00:00Z'],
  ['2024-03-05T08:00:00.123+02:00', '2024-03-05T06:00:00Z'],
  ['2024-03-05 08:00:00', '2024-03-05T08:00:00Z'],
  ['2024-03-05', '2024-03-05T00:00:00Z'],
  ['2024/3/5 8:00 PST', '2024-03-05T16:00:00Z'],
  ['March 5, 2024 8:05 pm', '2024-03-05T20:05:00Z'],
  ['Tuesday, March 5th, 2024 12:00 AM EST', '2024-03-05T05:00:00Z'],
  ['1709625600', '2024-03-05T08:00:00Z'],
  ['Tue, 05 Mar 2024 08:00:00 XYZ', '2024-03-05T08:00:00Z'],
  ['Tue, 05 Mar 2024 08:00:00 +9999', '2024-03-05T08:00:00Z'],
  ['Thu, 01 Jan 1970 00:00:00 +0000', undefined],
  ['0000-00-00', undefined],
  ['2024-13-01', undefined],
  ['05 Xyz 2024', undefined],
  ['yesterday', undefined],
  ['', undefined],
  ['9'.repeat(10_000), undefined],
];
for (const [text, instant] of DATES) {
  test(`${text.slice(0, 50)} is ${instant}`, () => {
    assert.equal(parseFeedDate(text)?.toString(), instant);
  });
}

const DURATIONS: [text: string, seconds: number | undefined][] = [
  ['1:02:03', 3723],
  ['01:02:03.450', 3723],
  ['62:03', 3723],
  [' 3723 ', 3723],
  ['3723.9', 3723],
  ['1h 2m 3s', 3723],
  ['PT1H2M3S', 3723],
  ['45 min', 2700],
  ['90 minutes', 5400],
  ['12s', 12],
  ['0', undefined],
  ['00:00:00', undefined],
  ['-5', undefined],
  ['9999999', undefined],
  ['an hour', undefined],
  ['1:2:3:4', undefined],
  ['', undefined],
  ['1'.repeat(1000), undefined],
];
for (const [text, seconds] of DURATIONS) {
  test(`${text.slice(0, 20)} is ${seconds}`, () => assert.equal(parseDuration(text), seconds));
}
