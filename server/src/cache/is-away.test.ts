import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAway } from './is-away.ts';

const failure = (code: string | undefined, message = 'failed'): Error =>
  Object.assign(new Error(message), { code });

test('refused, reset, shut down, full, too slow, read-only and in the way are absences; wrong questions are not', () => {
  const table: [unknown, boolean][] = [
    [failure('ECONNREFUSED'), true],
    [failure('ECONNRESET'), true],
    [failure(undefined, 'timeout exceeded when trying to connect'), true],
    [failure(undefined, 'Connection terminated unexpectedly'), true],
    [failure('57P01'), true],
    [failure('57014'), true],
    [failure('53300'), true],
    [failure('25006'), true],
    [failure('40001'), true],
    [failure('40P01'), true],
    [failure('55P03'), true],
    [failure('25001'), false],
    [failure('42P01'), false],
    [failure('23505'), false],
    [failure('22021'), false],
    [new TypeError('x is not a function'), false],
    [new RangeError('invalid'), false],
    ['text', false],
  ];
  for (const [error, expected] of table) assert.equal(isAway(error), expected, String(error));
});
