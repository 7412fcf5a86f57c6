import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { endOnSignals } from './end-on-signals.ts';

/** Run as a program, this file is process 1 of a container that is told to end while it starts. */
if (process.argv[2] === undefined) declareTests();
else start(process.argv[2] === 'listens');

function start(listens: boolean): void {
  endOnSignals();
  if (listens) process.on('SIGTERM', () => console.log('ends in its own way'));
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => console.log('at work'), 500);
}

function run(how: string) {
  const apart = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child'];
  const { status, stdout } = spawnSync('unshare', [...apart, process.execPath, import.meta.filename, how], {
    encoding: 'utf8',
  });
  return { status, said: stdout.trim().split('\n') };
}

function declareTests(): void {
  test('process 1 of a container ends when it is told to while it starts', () => {
    assert.deepEqual(run('starts'), { status: 143, said: [''] });
  });

  test('once it listens itself, that is all that happens', () => {
    assert.deepEqual(run('listens'), { status: 0, said: ['ends in its own way', 'at work'] });
  });
}
