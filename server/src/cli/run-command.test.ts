import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runLongwave } from '../../test/run-longwave.ts';
import { writeUsage } from './run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'longwave-command-'));
after(() => rmSync(folder, { recursive: true }));

test('usage.txt is what the commands say', async () => {
  const file = join(import.meta.dirname, 'usage.txt');
  assert.equal(readFileSync(file, 'utf8'), await writeUsage(), 'run "npm run docs" and commit the file');
});

test('help is the usage of every command; an unknown command is told the same, as a mistake', () => {
  const help = runLongwave(['--help'], {});
  assert.equal(help.status, 0);
  assert.match(help.stderr, /^usage:\n {2}longwave setup [^]*\n {2}longwave serve\n[^]*longwave healthcheck/);
  const unknown = runLongwave(['srve'], {});
  assert.equal(unknown.status, 2);
  assert.equal(unknown.stderr, help.stderr);
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
