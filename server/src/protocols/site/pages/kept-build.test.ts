import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { KeptBuild } from './kept-build.ts';

test('a new build is taken into use within a second, and the files of the one before are still there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'longwave-build-'));
  let now = 0;
  const kept = new KeptBuild(folder, () => now);
  const build = (name: string, seconds: number): void => {
    rmSync(join(folder, 'assets'), { recursive: true, force: true });
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), name);
    writeFileSync(join(folder, 'assets', `${name}.js`), name);
    writeFileSync(join(folder, 'built'), '');
    utimesSync(join(folder, 'built'), seconds, seconds);
  };
  assert.equal(kept.current(), undefined);
  build('one', 1000);
  assert.equal(kept.current(), undefined, 'it is not looked each time');
  now = 1000;
  assert.equal(kept.current()?.page, 'one');
  build('two', 2000);
  now = 2000;
  assert.equal(kept.current()?.page, 'two');
  assert.equal(kept.find('assets/two.js')?.bytes.toString(), 'two');
  assert.equal(kept.find('assets/one.js')?.bytes.toString(), 'one');
  build('three', 3000);
  now = 3000;
  kept.current();
  assert.equal(
    kept.find('assets/one.js'),
    undefined,
    'only the one before: memory does not grow with builds',
  );
  rmSync(folder, { recursive: true });
  now = 4000;
  assert.equal(kept.current()?.page, 'three', 'a build that goes away is still served');
});
