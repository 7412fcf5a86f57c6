import assert from 'node:assert/strict';
import test from 'node:test';
import { writeAgo, writeMoment } from './ago.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const ago = (at: string, language = 'en') => writeAgo(at, { now, language });

test('how long ago a radio called is said in the largest unit that fits', () => {
  assert.equal(ago('2026-03-01T11:59:30Z'), 'this minute');
  assert.equal(ago('2026-03-01T11:58:30Z'), '1 minute ago');
  assert.equal(ago('2026-03-01T09:01:00Z'), '2 hours ago');
  assert.equal(ago('2026-02-28T11:00:00Z'), 'yesterday');
  assert.equal(ago('2026-02-20T12:00:00Z', 'de'), 'vor 9 Tagen');
});

test('a clock that is ahead of ours says now, not the future', () => {
  assert.equal(ago('2026-03-01T12:05:00Z'), 'this minute');
});

test('a moment has its day only where it was another one', () => {
  const noon = Date.parse('2026-03-01T12:00:00');
  assert.doesNotMatch(writeMoment('2026-03-01T11:00:00', { now: noon, language: 'en' }), /Mar/);
  assert.match(writeMoment('2026-02-27T11:00:00', { now: noon, language: 'en' }), /Feb/);
});
