import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { Converter } from './converter.ts';

/** Sets how many files this process may have open, and back; it runs already while there is no room for another program. */
const SET_LIMIT = `
  before=$(prlimit --pid $PPID --nofile --output SOFT --noheadings)
  while read -r limit; do prlimit --pid $PPID --nofile="\${limit/back/$before}:"; echo done; done`;

test('where the system has no room for ffmpeg that is told like any other end, later, and it can be started again', async () => {
  const shell = spawn('bash', ['-c', SET_LIMIT], { stdio: ['pipe', 'pipe', 'inherit'] });
  const limitTo = async (limit: string): Promise<void> => {
    shell.stdin.write(`${limit}\n`);
    await once(shell.stdout, 'data');
  };
  const { promise: failed, resolve: fail } = Promise.withResolvers<string>();
  const { promise: closed, resolve: end } = Promise.withResolvers<string>();
  let isTold = false;
  const told = (why: string): void => {
    (isTold ? end : fail)(why);
    isTold = true;
  };
  const converter = new Converter({ take: () => undefined, failed: told });
  await limitTo('3');
  try {
    converter.start();
    assert.equal(isTold, false, 'whoever starts it is through before it is told');
    assert.match(await failed, /EMFILE/);
    assert.equal(converter.push(Buffer.from('sound')), true);
  } finally {
    await limitTo('back');
  }
  converter.start();
  converter.push(Buffer.alloc(16 * 2 ** 20, 'no sound'));
  assert.match(await closed, /Invalid data|ffmpeg ended/);
  converter.stop();
  shell.stdin.end();
});
