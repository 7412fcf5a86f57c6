import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlaceBook } from './place-book.ts';

const LIMITS = { listeners: 3, perAddress: 2, perPartner: 1, conversions: 1 };
const claim = (who: string, peer = who) => ({ who, peer });

test('places are counted over all processes, and those of one that ended are free', () => {
  const book = new PlaceBook<string>(LIMITS);
  assert.deepEqual(book.take('one', claim('a', 'x')), { place: 1 });
  assert.deepEqual(book.take('other', claim('b', 'x')), { place: 2 });
  assert.equal('refusal' in book.take('one', claim('c', 'x')) && 'peer', 'peer');
  assert.deepEqual(book.take('other', claim('d')), { place: 3 });
  const full = book.take('one', claim('e'));
  assert.equal('refusal' in full && full.refusal, 'full');
  book.forget('other');
  assert.deepEqual(book.take('one', claim('e')), { place: 4 });
  assert.deepEqual(book.take('one', claim('f')), { place: 5 });
});

test('a place goes with its listener: it is counted once, and the process before has no say in it', () => {
  const book = new PlaceBook<string>({ ...LIMITS, listeners: 1 });
  book.take('old', claim('a'));
  book.move('old', 'new', 1);
  book.leave('old', 1);
  book.forget('old');
  assert.ok('refusal' in book.take('new', claim('b')), 'it is taken still');
  book.leave('new', 1);
  book.leave('new', 1);
  assert.ok('place' in book.take('new', claim('b')));
  assert.ok('refusal' in book.take('new', claim('c')), 'what is given back twice is free once');
});

test('a conversion that is under way is not refused to the process that takes it over', () => {
  const book = new PlaceBook<string>(LIMITS);
  assert.ok('place' in book.take('old', { converts: true, isBegun: false }));
  assert.ok('refusal' in book.take('new', { converts: true, isBegun: false }));
  assert.ok('place' in book.take('new', { converts: true, isBegun: true }));
});
