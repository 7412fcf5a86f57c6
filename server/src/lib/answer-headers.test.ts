import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  conditionsOf,
  freshSecondsOf,
  linksOf,
  retryAfterSecondsOf,
  validatorsOf,
} from './answer-headers.ts';

test('what does not fit its column, or a header, is not kept', () => {
  const date = 'Mon, 01 Jun 2026 10:00:00 GMT';
  assert.deepEqual(validatorsOf({ etag: 'W/"a"', 'last-modified': date }), {
    etag: 'W/"a"',
    lastModified: date,
  });
  assert.deepEqual(validatorsOf({ etag: 'x'.repeat(1025), 'last-modified': 'y'.repeat(101) }), {
    etag: undefined,
    lastModified: undefined,
  });
  assert.equal(validatorsOf({ etag: '"é"' }).etag, undefined);
  assert.equal(validatorsOf({ etag: ['"a"', '"b"'] }).etag, '"a"');
});

test('what was given is asked with', () => {
  assert.deepEqual(conditionsOf({ etag: '"a"', lastModified: 'Mon' }), {
    'if-none-match': '"a"',
    'if-modified-since': 'Mon',
  });
  assert.deepEqual(conditionsOf({ etag: undefined }), {});
});

const FRESH: [control: string | undefined, seconds: number][] = [
  ['public, max-age=600', 600],
  ['max-age="60"', 60],
  ['no-cache', 0],
  ['max-age=600, no-store', 0],
  ['public, Max-Age="60", must-revalidate', 60],
  ['max-age=-5', 0],
  ['s-maxage=5', 0],
  [undefined, 0],
];
for (const [control, seconds] of FRESH)
  test(`Cache-Control ${control}: good for ${seconds} s`, () =>
    assert.equal(freshSecondsOf({ 'cache-control': control }), seconds));

const RETRY: [value: string | undefined, seconds: number][] = [
  ['120', 120],
  ['Mon, 01 Jun 2026 13:00:00 GMT', 3600],
  ['Mon, 01 Jun 2026 11:00:00 GMT', 0],
  ['soon', 0],
  [undefined, 0],
];
for (const [value, seconds] of RETRY)
  test(`Retry-After ${value}: ${seconds} s`, () =>
    assert.equal(
      retryAfterSecondsOf({ 'retry-after': value }, Temporal.Instant.from('2026-06-01T12:00:00Z')),
      seconds,
    ));

test('several Link headers are one', () => {
  assert.equal(linksOf({ link: ['<a>; rel="hub"', '<b>; rel="self"'] }), '<a>; rel="hub", <b>; rel="self"');
});
