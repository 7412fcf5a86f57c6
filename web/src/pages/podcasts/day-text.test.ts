import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayText } from './day-text.ts';

test('a day of another year says which', () => {
  const now = new Date('2026-11-18T12:00:00Z');
  assert.equal(dayText('2026-03-09T12:00:00Z', 'en-GB', now), '9 Mar');
  assert.equal(dayText('2025-03-09T12:00:00Z', 'en-GB', now), '9 Mar 2025');
  assert.equal(dayText('2026-03-09T12:00:00Z', 'de', now), '9. März');
});
