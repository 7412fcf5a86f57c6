import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { waitUntil } from '../../../test/time/wait-until.ts';

const PROGRAM = join(import.meta.dirname, '../../../test/processes/supervised-program.ts');
const MAX_WAIT_MS = 30_000;

/** The program by a Node of its own, which can be taken away and put back as an upgrade does. */
async function startProgram(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'longwave-supervisor-'));
  const [node, elsewhere] = [join(folder, 'node'), join(folder, 'taken-away')];
  copyFileSync(process.execPath, node);
  const program = spawn(node, [PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  program.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(program, 'exit');
  t.after(async () => {
    program.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  });
  const pids = (): number[] => [...said.matchAll(/^at work: (\d+)$/gm)].map(([, pid]) => Number(pid));
  return {
    program,
    pids,
    says: (text: string) => waitUntil(text, async () => said.includes(text) || undefined, MAX_WAIT_MS),
    areAtWork: (count: number) =>
      waitUntil(
        `${count} at work`,
        async () => pids().filter(isThere).length === count || undefined,
        MAX_WAIT_MS,
      ),
    takeAway: () => renameSync(node, elsewhere),
    putBack: () => renameSync(elsewhere, node),
  };
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('where no other process can be started those at work go on, and the place is filled as soon as one can', async (t) => {
  const { program, pids, says, areAtWork, takeAway, putBack } = await startProgram(t);
  await areAtWork(2);
  const atWork = pids();
  takeAway();
  program.kill('SIGUSR2');
  await says('another process could not start; those at work go on');
  assert.deepEqual(pids().filter(isThere), atWork);
  process.kill(atWork[0]!, 'SIGKILL');
  await says('a process ended');
  await areAtWork(1);
  assert.equal(program.exitCode, null);
  putBack();
  await areAtWork(2);
  program.kill('SIGTERM');
  const [code] = await once(program, 'exit');
  assert.equal(code, 0);
});
