import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Crowd, type Member } from './crowd.ts';

type Person = Member & { name: string };

const person = (name: string): Person => ({ name, place: 0 });
const names = (crowd: Crowd<Person>): string =>
  crowd
    .all()
    .map(({ name }) => name)
    .toSorted()
    .join('');

test('who comes is there, who goes is not, in whatever order', () => {
  const crowd = new Crowd<Person>();
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
  const crowd = new Crowd<Person>();
  const all = Array.from('abcdef', person);
  for (const one of all) crowd.add(one);
  const met = crowd.all().map((one) => {
    crowd.delete(one);
    return one.name;
  });
  assert.deepEqual([met.join(''), crowd.size], ['abcdef', 0]);
});
