import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../../test/time/wait-until.ts';

const PROGRAM = join(import.meta.dirname, '../../../test/processes/supervised-program.ts');
const MAX_WAIT_MS = 30_000;

/** The program by a Node of its own, which can be taken away and put back as an upgrade does. */
async function startProgram(t: TestContext, ...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'longwave-supervisor-'));
  const [node, elsewhere] = [join(folder, 'node'), join(folder, 'taken-away')];
  copyFileSync(process.execPath, node);
  const program = spawn(node, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
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

test('a renewal that is asked for during another one follows it: some have started with what was on disk before', async (t) => {
  const { program, pids, areAtWork } = await startProgram(t);
  const haveBegun = (count: number) =>
    waitUntil(`${count} have begun`, async () => pids().length === count || undefined, MAX_WAIT_MS);
  await areAtWork(2);
  const [first = 0] = pids();
  // Does not leave until it goes on.
  process.kill(first, 'SIGSTOP');
  program.kill('SIGUSR2');
  await haveBegun(3);
  program.kill('SIGUSR2');
  process.kill(first, 'SIGCONT');
  await haveBegun(6);
  await areAtWork(2);
});

test('a process that stands still is ended, and another takes its place', async (t) => {
  const { pids, says, areAtWork } = await startProgram(t, '100');
  await areAtWork(2);
  const [first = 0, second = 0] = pids();
  // It has answered once: the question is known to it.
  await sleep(2000);
  process.kill(first, 'SIGSTOP');
  await says('stands still, and is ended');
  await waitUntil('a third', async () => pids().length === 3 || undefined, MAX_WAIT_MS);
  await areAtWork(2);
  assert.ok(!isThere(first) && isThere(second));
});
