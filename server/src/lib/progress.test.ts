import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProgressReport, writeProgress } from './progress.ts';

test('a bar shows share, count, rate and time left', () => {
  const text = writeProgress({ what: 'records', done: 5000, fraction: 0.5 }, 10, true);
  assert.equal(text, '[===============               ] 50 %  5,000 records  500/s  10 s left');
  assert.equal(writeProgress({ what: 'records', done: 10 }, 2, false), '10 records  5/s');
  assert.match(writeProgress({ what: 'records', done: 1, fraction: 0.01 }, 60, false), /1 h|1\.\d h|99 min/);
});

function written(isTTY: boolean, everyMs: number, times: number): string[] {
  const lines: string[] = [];
  let now = 0;
  const out = { isTTY, write: (text: string | Uint8Array) => lines.push(String(text)) > 0 };
  const report = new ProgressReport(out, () => now);
  for (let index = 1; index <= times; index += 1) {
    now += everyMs;
    report.show({ what: 'records', done: index, fraction: index / times });
  }
  report.end();
  return lines;
}

test('elsewhere than on a terminal it is a line every five seconds', () => {
  const lines = written(false, 1000, 20);
  assert.equal(lines.length, 4);
  assert.ok(lines.every((line) => line.endsWith(' left\n') && !line.includes('\r')));
});

test('on a terminal it redraws one line at most ten times a second and leaves it clean', () => {
  const lines = written(true, 50, 20);
  assert.equal(lines.length, 11);
  assert.ok(lines.every((line) => line.startsWith('\r')));
});
