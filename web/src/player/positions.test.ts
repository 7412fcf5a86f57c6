import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptPositions, keptPosition, parsePosition, takeOver } from './positions.ts';
import { keep, kept, keptNames } from '../app/kept.ts';

test('what is kept of positions is read with care', () => {
  assert.deepEqual(parsePosition('20 1700000000000'), { seconds: 20, at: 1_700_000_000_000 });
  for (const text of [null, '', '{', '20', '-1 5', '1e9 5', '20 x', '[["t1",20]]'])
    assert.equal(parsePosition(text), undefined, String(text));
});

test('a browser that keeps nothing knows where a topic was left as long as the page is open', () => {
  const positions = new KeptPositions();
  positions.set('t1', 61.7);
  assert.equal(positions.find('t1'), 61);
  positions.forget('t1');
  assert.equal(positions.find('t1'), undefined);
});

test('a page that has nothing new to say leaves alone what another one said', () => {
  const [one, other] = [new KeptPositions(), new KeptPositions()];
  one.set('t2', 100);
  other.set('t2', 2000);
  one.set('t2', 100.4);
  assert.equal(keptPosition('t2'), 2000);
  one.set('t2', 105);
  assert.equal(keptPosition('t2'), 105, 'it was heard on here');
});

test('the oldest of many are forgotten', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 1000 });
  const positions = new KeptPositions();
  for (let n = 0; n < 130; n += 1) {
    positions.set(`t${1000 + n}`, 50);
    context.mock.timers.tick(1000);
  }
  assert.equal(keptNames('position.').length, 100);
  assert.deepEqual([keptPosition('t1029'), keptPosition('t1030')], [undefined, 50]);
});

test('what was kept in one entry is taken over, once', () => {
  keep('positions', '[["t8",20],["t9",5],["t9"],[3,4],["t10","x"]]');
  keep('position.t9', '77 2');
  takeOver();
  assert.deepEqual([keptPosition('t8'), keptPosition('t9'), keptPosition('t10')], [20, 77, undefined]);
  assert.equal(kept('positions'), null);
});
