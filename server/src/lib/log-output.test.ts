import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, closeSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { waitUntil } from '../../test/time/wait-until.ts';
import { LogOutput } from './log-output.ts';

const MODULE = join(import.meta.dirname, 'log-output.ts');
/** Writes to standard output, in a process of its own, and tells on standard error what it was told. */
const program = (text: string): string[] => [
  '--input-type=module',
  '--eval',
  `import { LogOutput } from ${JSON.stringify(MODULE)};
   const output = new LogOutput((lines) => console.error('lost ' + lines));
   ${text}`,
];

test('every line comes once, whole, however they are gathered', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'longwave-log-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = openSync(join(folder, 'log'), 'a');
  const output = new LogOutput(() => assert.fail('nothing is lost'), file);
  const lines = Array.from({ length: 3000 }, (_, n) => `${n} Zürich ${'x'.repeat(n % 70)}\n`);
  for (const [n, line] of lines.entries()) {
    output.write(line);
    if (n % 500 === 0) await new Promise<void>((resolve) => output.flush(resolve));
    if (n === 1700) output.flushSync();
  }
  await new Promise<void>((resolve) => output.flush(resolve));
  closeSync(file);
  const written = readFileSync(join(folder, 'log'), 'utf8').split(/(?<=\n)/);
  assert.equal(written.length, lines.length);
  assert.deepEqual(new Set(written), new Set(lines));
});

test('what was written just before the end is there', () => {
  const text = program("output.write('the last words\\n'); process.exit(0);");
  assert.equal(execFileSync(process.execPath, text, { encoding: 'utf8' }), 'the last words\n');
  const ending = program("output.write('without a word on its end\\n');");
  assert.equal(execFileSync(process.execPath, ending, { encoding: 'utf8' }), 'without a word on its end\n');
});

test('a process ends though its log cannot be written', async () => {
  const full = openSync('/dev/full', 'w');
  const text = program(`
    for (let n = 0; n < 4000; n += 1) output.write('x'.repeat(99) + '\\n');
    output.flush(() => { output.flushSync(); process.exit(7); });`);
  const child = spawn(process.execPath, text, { stdio: ['ignore', full, 'inherit'], timeout: 60_000 });
  closeSync(full);
  assert.deepEqual(await once(child, 'exit'), [7, null]);
});

test('a reader that has gone ends nothing', async () => {
  const text = program(`
    setTimeout(() => process.exit(7), 500);
    setInterval(() => output.write('x'.repeat(5000) + '\\n'), 10);`);
  const child = spawn(process.execPath, text, { stdio: ['ignore', 'pipe', 'inherit'], timeout: 60_000 });
  await once(child.stdout, 'data');
  child.stdout.destroy();
  assert.deepEqual(await once(child, 'exit'), [7, null]);
});

test('what did not fit is counted, and told when there is a reader again', async () => {
  const text = program(`
    for (let n = 0; n < 4000; n += 1) output.write('x'.repeat(99) + '\\n');
    setInterval(() => undefined, 1000);`);
  const child = spawn(process.execPath, text, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 });
  let bytes = 0;
  child.stdout.on('data', (data: Buffer) => (bytes += data.length));
  const [told] = await once(child.stderr.setEncoding('utf8'), 'data');
  const lost = Number(/^lost (\d+)/.exec(String(told))?.[1]);
  assert.ok(lost > 1000, `${told}`);
  await waitUntil('the rest', async () => bytes === (4000 - lost) * 100 || undefined);
  child.kill();
  await once(child, 'exit');
});
