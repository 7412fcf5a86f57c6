import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readLines } from './lines.ts';

const folder = mkdtempSync(join(tmpdir(), 'lines-'));
after(() => rmSync(folder, { recursive: true }));

function linesOf(text: string): string[] {
  const file = join(folder, 'text');
  writeFileSync(file, text);
  return [...readLines(file)];
}

test('a file is read as its lines, with or without an end to the last', () => {
  assert.deepEqual(linesOf(''), []);
  assert.deepEqual(linesOf('a'), ['a']);
  assert.deepEqual(linesOf('a\n\nb\n'), ['a', '', 'b']);
});

test('lines and letters that lie across two chunks are whole', () => {
  const lines = Array.from({ length: 40_000 }, (_, at) => `${at} Łódź 東京 ${'é'.repeat(at % 40)}`);
  assert.deepEqual(linesOf(lines.join('\n')), lines);
});

test('a line without end is refused rather than kept', () => {
  assert.throws(() => linesOf('x'.repeat(300_000)), /a line longer than/);
});
