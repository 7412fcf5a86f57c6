import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlaceBook } from './place-book.ts';

const LIMITS = { listeners: 3, perAddress: 2, perPartner: 1, conversions: 1 };
/** As processes are, which nobody is but themselves. */
const [one, other] = [{ pid: 1 }, { pid: 2 }];
const claim = (who: string, peer = who) => ({ who, peer });

test('places are counted over all processes, and those of one that ended are free', () => {
  const book = new PlaceBook<object>(LIMITS);
  assert.deepEqual(book.take(one, claim('a', 'x')), { place: 1 });
  assert.deepEqual(book.take(other, claim('b', 'x')), { place: 2 });
  assert.equal('refusal' in book.take(one, claim('c', 'x')) && 'peer', 'peer');
  assert.deepEqual(book.take(other, claim('d')), { place: 3 });
  const full = book.take(one, claim('e'));
  assert.equal('refusal' in full && full.refusal, 'full');
  book.forget(other);
  assert.deepEqual(book.take(one, claim('e')), { place: 4 });
  assert.deepEqual(book.take(one, claim('f')), { place: 5 });
});

test('a place goes with its listener: it is counted once, and the process before has no say in it', () => {
  const book = new PlaceBook<object>({ ...LIMITS, listeners: 1 });
  book.take(one, claim('a'));
  book.move(one, other, 1);
  book.leave(one, 1);
  book.forget(one);
  assert.ok('refusal' in book.take(other, claim('b')), 'it is taken still');
  book.leave(other, 1);
  book.leave(other, 1);
  assert.ok('place' in book.take(other, claim('b')));
  assert.ok('refusal' in book.take(other, claim('c')), 'what is given back twice is free once');
});

test('one that has ended gets no place: nobody would give it back', () => {
  const book = new PlaceBook<object>(LIMITS);
  assert.deepEqual(book.take(one, claim('a', 'x')), { place: 1 });
  book.forget(one);
  for (const who of ['a', 'b', 'c']) assert.ok('refusal' in book.take(one, claim(who, 'x')));
  for (const who of ['a', 'b']) assert.ok('place' in book.take(other, claim(who, 'x')), 'all are free');
});

test('a conversion that is under way is not refused to the process that takes it over', () => {
  const book = new PlaceBook<object>(LIMITS);
  assert.ok('place' in book.take(one, { converts: true, isBegun: false }));
  assert.ok('refusal' in book.take(other, { converts: true, isBegun: false }));
  assert.ok('place' in book.take(other, { converts: true, isBegun: true }));
});
