import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rendezvous } from './rendezvous.ts';

const KEYS = Array.from({ length: 6000 }, (_none, n) => n);
const ownersAmong = (names: readonly string[]): (string | undefined)[] =>
  KEYS.map((key) => rendezvous(key, names, (name) => name));
const share = (owners: readonly unknown[], name: string): number =>
  owners.filter((owner) => owner === name).length / KEYS.length;

test('everybody has about the same share, in whatever order they are named', () => {
  const owners = ownersAmong(['a', 'b', 'c']);
  for (const name of ['a', 'b', 'c']) assert.ok(Math.abs(share(owners, name) - 1 / 3) < 0.03, name);
  assert.deepEqual(ownersAmong(['c', 'a', 'b']), owners);
});

test('one more takes its share, and nothing else moves; one less gives its own away', () => {
  const [three, four] = [ownersAmong(['a', 'b', 'c']), ownersAmong(['a', 'b', 'c', 'd'])];
  const moved = four.filter((owner, n) => owner !== three[n]);
  assert.ok(moved.every((owner) => owner === 'd'));
  assert.ok(Math.abs(moved.length / KEYS.length - 1 / 4) < 0.03, `${moved.length} moved`);
  const two = ownersAmong(['a', 'c']);
  assert.ok(two.every((owner, n) => owner === three[n] || three[n] === 'b'));
});

test('of one it is that one, of none nobody', () => {
  assert.equal(
    rendezvous(7, ['a'], (name) => name),
    'a',
  );
  assert.equal(
    rendezvous(7, [], (name) => name),
    undefined,
  );
});
