import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WalPositions } from './wal-positions.ts';

test('a server is as old as the newest position of the primary that it has reached', () => {
  const positions = new WalPositions();
  assert.equal(positions.behindMs(100), Infinity, 'nothing is known of the primary yet');
  positions.note(100, 1000);
  positions.note(200, 2000);
  positions.note(300, 3000);
  assert.equal(positions.behindMs(300), 0);
  assert.equal(positions.behindMs(299), 1000);
  assert.equal(positions.behindMs(150), 2000);
  assert.equal(positions.behindMs(99), Infinity);
  assert.equal(positions.behindMs(400), 0, 'it may have replayed more than was known a moment ago');
});

test('on a primary on which nothing happens nobody gets old', () => {
  const positions = new WalPositions();
  for (let second = 0; second < 60; second += 1) positions.note(100, second * 1000);
  assert.equal(positions.behindMs(100), 0);
});

test('after a failover positions count from where the new primary is', () => {
  const positions = new WalPositions();
  positions.note(500, 1000);
  positions.note(400, 2000);
  assert.equal(positions.behindMs(400), 0);
  assert.equal(positions.behindMs(399), Infinity);
});

test('what was known long ago is forgotten', () => {
  const positions = new WalPositions();
  for (let second = 0; second < 1000; second += 1) positions.note(second, second * 1000);
  assert.equal(positions.behindMs(800), Infinity);
  assert.equal(positions.behindMs(990), 9000);
});
