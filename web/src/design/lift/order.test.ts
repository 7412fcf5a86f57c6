import assert from 'node:assert/strict';
import test from 'node:test';
import { columnsOf, moved, nearestBox, stepTo } from './order.ts';

test('a move takes one out and puts it where it shall be', () => {
  assert.deepEqual(moved(['a', 'b', 'c', 'd'], 0, 2), ['b', 'c', 'a', 'd']);
  assert.deepEqual(moved(['a', 'b', 'c', 'd'], 3, 0), ['d', 'a', 'b', 'c']);
});

test('a move to nowhere leaves the list as it is', () => {
  const list = ['a', 'b'];
  for (const [from, to] of [
    [0, 0],
    [0, 2],
    [0, -1],
    [5, 0],
  ] as const)
    assert.equal(moved(list, from, to), list);
});

test('arrow keys go beside and beneath, and stop at the edges', () => {
  const grid = { count: 7, columns: 3, direction: 'ltr' } as const;
  assert.equal(stepTo('ArrowRight', 0, grid), 1);
  assert.equal(stepTo('ArrowDown', 1, grid), 4);
  assert.equal(stepTo('ArrowUp', 4, grid), 1);
  assert.equal(stepTo('ArrowDown', 5, grid), 5);
  assert.equal(stepTo('ArrowLeft', 0, grid), 0);
  assert.equal(stepTo('Home', 5, grid), 0);
  assert.equal(stepTo('End', 2, grid), 6);
  assert.equal(stepTo('x', 2, grid), undefined);
});

test('where one reads from right to left, the left arrow goes onward', () => {
  assert.equal(stepTo('ArrowLeft', 0, { count: 3, columns: 3, direction: 'rtl' }), 1);
  assert.equal(stepTo('ArrowRight', 1, { count: 3, columns: 3, direction: 'rtl' }), 0);
});

const boxes = [0, 1, 2, 3, 4].map((at) => ({
  left: (at % 3) * 110,
  top: Math.floor(at / 3) * 60,
  width: 100,
  height: 50,
}));

test('the columns are those of the first row', () => {
  assert.equal(columnsOf(boxes), 3);
  assert.equal(columnsOf([]), 1);
});

test('what is dragged goes where it is nearest', () => {
  assert.equal(nearestBox(boxes, { x: 160, y: 20 }), 1);
  assert.equal(nearestBox(boxes, { x: 150, y: 500 }), 4);
  assert.equal(nearestBox([], { x: 0, y: 0 }), -1);
});
