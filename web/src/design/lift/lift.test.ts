import assert from 'node:assert/strict';
import test from 'node:test';
import { placeWhile, shiftOf } from './lift.ts';
import { moved } from './order.ts';

test('while one is taken up, every key stands where it will stand', () => {
  const keys = [0, 1, 2, 3, 4];
  for (const from of keys)
    for (const to of keys) {
      const will = moved(keys, from, to);
      for (const at of keys)
        assert.equal(placeWhile({ from, to }, at), will.indexOf(at), `${from} to ${to}: ${at}`);
    }
});

const boxes = [0, 1, 2, 3].map((at) => ({
  left: (at % 2) * 100,
  top: Math.floor(at / 2) * 60,
  width: 90,
  height: 50,
}));

test('the others make room, and the one that is drawn follows the pointer', () => {
  const lift = { from: 0, to: 2, by: 'pointer', dx: 13, dy: 57 } as const;
  assert.deepEqual(shiftOf(lift, 0, boxes), { x: 13, y: 57 });
  assert.deepEqual(shiftOf(lift, 1, boxes), { x: -100, y: 0 });
  assert.deepEqual(shiftOf(lift, 2, boxes), { x: 100, y: -60 });
  assert.deepEqual(shiftOf(lift, 3, boxes), { x: 0, y: 0 });
});

test('by keys it goes to the place itself', () => {
  assert.deepEqual(shiftOf({ from: 0, to: 3, by: 'keys', dx: 0, dy: 0 }, 0, boxes), { x: 100, y: 60 });
});
