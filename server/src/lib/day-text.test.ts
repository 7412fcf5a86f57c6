import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayText } from './day-text.ts';

const day = (time: string, language: string): string => dayText(Temporal.Instant.from(time), language);

test('a day in the words of a language, the same until midnight in UTC', () => {
  assert.equal(day('2026-01-09T00:00:00Z', 'en'), 'Friday, Jan 9');
  assert.equal(day('2026-01-09T23:59:59.999999Z', 'en'), 'Friday, Jan 9');
  assert.equal(day('2026-01-10T00:00:00Z', 'en'), 'Saturday, Jan 10');
  assert.equal(day('2026-01-09T12:00:00Z', 'de'), 'Freitag, 9. Jan.');
  assert.equal(day('2026-01-09T12:00:00Z', 'ja'), '1月9日金曜日');
});
