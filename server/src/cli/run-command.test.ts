import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runLongwave } from '../../test/processes/run-longwave.ts';
import { writeUsage } from './run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'longwave-command-'));
after(() => rmSync(folder, { recursive: true }));

test('usage.txt is what the commands say', async () => {
  const file = join(import.meta.dirname, 'usage.txt');
  assert.equal(readFileSync(file, 'utf8'), await writeUsage(), 'run "npm run docs" and commit the file');
});

test('help is the usage of every command, or of one', () => {
  const help = runLongwave(['--help'], {});
  assert.equal(help.status, 0);
  assert.match(help.stdout, /^usage:\n {2}longwave setup [^]*\n {2}longwave serve\n[^]*longwave healthcheck/);
  assert.equal(help.stderr, '');
  // Also where the settings are wrong: whoever asks may be about to mend them.
  const one = runLongwave(['probe', 's1', '--help'], { HTTP_PORT: 'none' });
  assert.match(one.stdout, /^usage: longwave probe [^]*\n\n\w/);
  assert.deepEqual([one.status, one.stderr], [0, '']);
  for (const args of [
    ['help', 'probe'],
    ['probe', '-h'],
  ])
    assert.equal(runLongwave(args, {}).stdout, one.stdout, args.join(' '));
});

test('a command that is not there is named, with the one that was probably meant', () => {
  const misspelled = runLongwave(['srve'], {});
  assert.equal(misspelled.status, 2);
  assert.equal(
    misspelled.stderr,
    'longwave: there is no command "srve"; did you mean "serve"?\nlongwave --help lists them all\n',
  );
  const unlike = runLongwave(['xy'], {});
  assert.equal(unlike.stderr, 'longwave: there is no command "xy"\nlongwave --help lists them all\n');
  const none = runLongwave([], {});
  assert.deepEqual([none.status, none.stdout], [2, '']);
  assert.match(none.stderr, /^usage:\n/);
});

test('an option that is not there is named, and the usage of the command follows', () => {
  const { status, stderr } = runLongwave(['probe', '--fast'], {});
  assert.equal(status, 2);
  assert.match(stderr, /^longwave: Unknown option '--fast'\nusage: longwave probe /);
});

test('config says which file a secret came from, and not what it is', () => {
  const file = join(folder, 'redis-url');
  writeFileSync(file, 'redis://:CANARY@cache\n');
  const { stdout, stderr, status } = runLongwave(['config'], { REDIS_URL: '', REDIS_URL_FILE: file });
  assert.equal(status, 0, stderr);
  assert.ok(stdout.includes(`redis://:***@cache  (from ${file})\n`), stdout);
  assert.doesNotMatch(stdout, /CANARY/);
});

test('compiled code is kept where that is possible, and a command runs where it is not', () => {
  const kept = join(folder, 'compiled');
  assert.equal(runLongwave(['config', 'key'], { NODE_COMPILE_CACHE: kept }).status, 0);
  assert.ok(readdirSync(kept, { recursive: true }).length > 10);
  const nowhere = runLongwave(['config', 'key'], {
    NODE_COMPILE_CACHE: '/dev/null/none',
    HOME: '/nonexistent',
  });
  assert.equal(nowhere.status, 0, nowhere.stderr);
  assert.equal(nowhere.stderr, '');
  assert.match(nowhere.stdout, /^[\w-]{43}\n$/);
});
