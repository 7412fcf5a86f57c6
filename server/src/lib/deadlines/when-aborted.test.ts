import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { SwapRemoveList, type Member, whenAborted } from './when-aborted.ts';

test('all that wait for a signal are told once, those that left are not, and it has one listener', () => {
  const stop = new AbortController();
  const given: number[] = [];
  const undo = Array.from({ length: 300 }, (_none, place) =>
    whenAborted(stop.signal, () => given.push(place)),
  );
  assert.equal(getEventListeners(stop.signal, 'abort').length, 1);
  for (const take of undo.slice(2)) take();
  stop.abort();
  stop.abort();
  assert.deepEqual(given, [0, 1]);
});

type Person = Member & { name: string };

const person = (name: string): Person => ({ name, place: 0 });
const names = (crowd: SwapRemoveList<Person>): string =>
  crowd
    .all()
    .map(({ name }) => name)
    .toSorted()
    .join('');

test('who comes is there, who goes is not, in whatever order', () => {
  const crowd = new SwapRemoveList<Person>();
  const [a, b, c, d] = [person('a'), person('b'), person('c'), person('d')];
  for (const one of [a, b, c, d]) crowd.add(one);
  crowd.delete(b);
  assert.equal(names(crowd), 'acd');
  crowd.delete(b);
  crowd.delete(d);
  assert.equal(names(crowd), 'ac');
  crowd.add(b);
  crowd.delete(a);
  crowd.delete(c);
  assert.deepEqual([names(crowd), crowd.size], ['b', 1]);
});

test('who leaves or comes while all are gone through does not disturb it', () => {
  const crowd = new SwapRemoveList<Person>();
  const all = Array.from('abcdef', person);
  for (const one of all) crowd.add(one);
  const met = crowd.all().map((one) => {
    crowd.delete(one);
    return one.name;
  });
  assert.deepEqual([met.join(''), crowd.size], ['abcdef', 0]);
});
