import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runLongwave } from '../../test/processes/run-longwave.ts';
import { readBuildInfo, VERSION, writeBuildInfo } from './version.ts';

const CHECKOUT = join(import.meta.dirname, '../../..');

test('every package of the checkout has the version of the server', () => {
  for (const folder of ['.', 'server', 'client', 'web'])
    assert.match(
      readFileSync(join(CHECKOUT, folder, 'package.json'), 'utf8'),
      new RegExp(`"version": "${VERSION}"`),
      folder,
    );
});

test('longwave --version names the release and Node, without a database', () => {
  const { status, stdout } = runLongwave(['--version'], { DATABASE_URL: 'postgres://nowhere.invalid/none' });
  assert.equal(status, 0);
  assert.equal(stdout, `${writeBuildInfo(readBuildInfo())}\n`);
  assert.match(stdout, /^longwave \d+\.\d+\.\d+.*, Node \d+\.\d+\.\d+\n$/);
});

test('the commit is that of the build file, and unknown where there is none or it holds something else', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'longwave-build-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'build.json');
  assert.equal(readBuildInfo(file).commit, 'unknown');
  const commit = 'f1d80dd0123456789abcdef0123456789abcdef0';
  writeFileSync(file, JSON.stringify({ commit }));
  assert.equal(readBuildInfo(file).commit, commit);
  assert.equal(
    writeBuildInfo(readBuildInfo(file)),
    `longwave ${VERSION} (commit f1d80dd01234), Node ${process.versions.node}`,
  );
  for (const wrong of ['', '{', '[]', '{"commit":7}', '{"commit":"main\\n"}']) {
    writeFileSync(file, wrong);
    assert.equal(readBuildInfo(file).commit, 'unknown', wrong);
  }
});

test('no other source names a version of ours', () => {
  const named = [
    'net/fetch/fetch-safely.ts',
    'workers/polling/hearing.ts',
    'import/sources/radio-browser/read-api.ts',
  ];
  for (const file of named) {
    const text = readFileSync(join(CHECKOUT, 'server/src', file), 'utf8');
    assert.match(text, /\bPRODUCT\b/, file);
    assert.doesNotMatch(text, /longwave\/\d/, file);
  }
});
