import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainLoadFailure } from './load-failure.ts';

const url = 'postgres://me:secret@db.example:5432/radio';
const failure = (code: string): Error => Object.assign(new Error('the driver says so'), { code });

const cases: [cause: unknown, says: RegExp][] = [
  [failure('ECONNREFUSED'), /db\.example:5432\/radio: nothing listens there: start PostgreSQL/],
  [new AggregateError([failure('ECONNREFUSED')]), /nothing listens there/],
  [failure('42P01'), /run longwave migrate/],
  [failure('28P01'), /refused the password/],
  [failure('XX000'), /the driver says so: see whether it is up/],
  ['odd', /odd: see whether/],
];
for (const [cause, says] of cases) {
  test(`says ${says.source}`, () => {
    const error = explainLoadFailure(cause, url);
    assert.match(error.message, says);
    assert.doesNotMatch(error.message, /secret/);
    assert.equal(error.cause, cause);
  });
}

test('an address that is no URL is not repeated, since it may hold a password', () => {
  assert.doesNotMatch(explainLoadFailure('odd', 'me:secret@db').message, /secret/);
});
