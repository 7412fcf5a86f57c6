import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AirTime, OnAirBoard, type OnAirNow } from './on-air-board.ts';

/** A snapshot of these stations in this order. */
const snapshotOf = (...ids: number[]) => ({ stationById: new Map(ids.map((id, rank) => [id, { rank }])) });

const airTime = (stationId: number, showTitle: string, endsMs: number, changesMs = endsMs): AirTime => ({
  stationId,
  show: { showId: stationId * 10, showTitle },
  endsMs,
  changesMs,
});

const snapshot = snapshotOf(7, 8, 9);
const titleOf = (now: OnAirNow | undefined, rank: number): string | undefined =>
  now?.shows[now.placeOf.get(rank) ?? -1]?.showTitle;
const titles = (board: OnAirBoard, of = snapshot): (string | undefined)[] =>
  [...of.stationById.values()].map(({ rank }) => titleOf(board.on(of), rank));

test('stations stand on the board by the rank they have in a snapshot, whichever that is', () => {
  const board = new OnAirBoard();
  board.learn([airTime(7, 'Morning', 100), airTime(9, 'Noon', 100), airTime(5, 'Elsewhere', 100)]);
  board.turn(0);
  assert.deepEqual(titles(board), ['Morning', undefined, 'Noon']);
  assert.deepEqual(titles(board, snapshotOf(9, 1, 7)), ['Noon', undefined, 'Morning']);
  assert.deepEqual(titles(board), ['Morning', undefined, 'Noon']);
  assert.equal(board.size, 3);
});

test('a board with nothing on it, or nothing of a snapshot, is none', () => {
  const board = new OnAirBoard();
  assert.equal(board.on(snapshot), undefined);
  board.learn([airTime(5, 'Elsewhere', 100)]);
  board.turn(0);
  assert.equal(board.on(snapshot), undefined);
});

test('the stamp changes when what is shown does, and only then', () => {
  const board = new OnAirBoard();
  const stampAfter = (nowMs: number, ...learned: AirTime[]): number | undefined => {
    board.learn(learned);
    board.turn(nowMs);
    return board.on(snapshot)?.stamp;
  };
  const first = stampAfter(0, airTime(7, 'Morning', 100), airTime(8, 'News', 50));
  assert.ok(first !== undefined);
  assert.equal(stampAfter(10), first);
  assert.equal(stampAfter(20, airTime(7, 'Morning', 200)), first, 'it goes on for longer');
  const seen = new Set([first]);
  for (const stamp of [
    stampAfter(50),
    stampAfter(60, airTime(8, 'Noon', 300)),
    stampAfter(70, airTime(8, 'Noon!', 300)),
    stampAfter(80, { ...airTime(8, 'Noon!', 300), show: { showId: 1, showTitle: 'Noon!' } }),
    stampAfter(90, { ...airTime(8, '', 300), show: undefined }),
  ]) {
    assert.ok(stamp !== undefined && !seen.has(stamp), `${stamp} is new`);
    seen.add(stamp);
  }
  board.keepOnly(new Set([8]));
  assert.equal(stampAfter(95), undefined);
});

test('what was handed out stays as it is when the board turns', () => {
  const board = new OnAirBoard();
  board.learn([airTime(7, 'Morning', 100)]);
  board.turn(0);
  const before = board.on(snapshot);
  board.turn(100);
  assert.equal(titleOf(before, 0), 'Morning');
  assert.equal(board.on(snapshot), undefined);
});

test('it is known when a station has something else on, before its show ends or after', () => {
  const board = new OnAirBoard();
  board.learn([airTime(7, 'Long', 100, 30), airTime(8, 'Short', 50), airTime(9, 'Last', 100)]);
  assert.deepEqual(board.idsOfChanged(29), []);
  assert.deepEqual(board.idsOfChanged(30), [7]);
  assert.deepEqual(board.idsOfChanged(50), [7, 8]);
  board.turn(50);
  assert.deepEqual(titles(board), ['Long', undefined, 'Last'], 'the long one goes on around its bulletin');
});
