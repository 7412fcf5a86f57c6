import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeBackup } from './make-backup.ts';

const shared = mkdtempSync(join(tmpdir(), 'longwave-folders-'));
after(() => rmSync(shared, { recursive: true }));

const MODULE = join(import.meta.dirname, 'make-backup.ts');
/** Nobody listens there: whoever comes as far as the database says so. */
const DATABASE = 'postgres://127.0.0.1:1/none';
const ASK = `const { makeBackup } = await import(process.argv[1]);
  const options = { databaseUrl: '${DATABASE}', folder: process.argv[2], kind: 'daily', keep: 7, version: 'test' };
  await makeBackup(options).catch(({ message }) => console.log(message));`;

/** What a process says that is started by these words, such as one for which a disk is read-only. */
function complaintOf(folder: string, ...by: string[]): string {
  const words = [...by, process.execPath, '--input-type=module', '-e', ASK, MODULE, folder];
  const { stdout, stderr } = spawnSync(words[0] ?? '', words.slice(1), { encoding: 'utf8' });
  assert.equal(stderr, '');
  return stdout.trim();
}

const readOnly = (place: string): string[] =>
  ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-ec'].concat(
    `mount -t tmpfs -o ro none ${place}; exec "$@"`,
    'sh',
  );

test('a folder on a disk that is read-only for the service is told as such, whether it is there or not', () => {
  const place = join(shared, 'disk');
  mkdirSync(place);
  for (const folder of [place, join(place, 'not/there')]) {
    const said = complaintOf(folder, ...readOnly(place));
    assert.ok(
      said.startsWith(`backups cannot be written to ${folder}: ${place} is read-only for this process.`),
      said,
    );
    assert.match(said, /\/var\/backups\/longwave .*systemctl edit longwave-worker longwave/);
  }
});

test('a folder that belongs to somebody else is told with who would have to own it', () => {
  const place = join(shared, 'locked');
  mkdirSync(place, { mode: 0o500 });
  // Root may write everywhere, unless it has no capabilities.
  const weak = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all'] : ['env'];
  for (const folder of [place, join(place, 'not/there')]) {
    const said = complaintOf(folder, ...weak);
    assert.match(said, /: the user \d+ may not write to \S+\/locked\. Make a folder that belongs to/);
    assert.ok(said.startsWith(`backups cannot be written to ${folder}: `), said);
  }
});

const making = (folder: string) =>
  makeBackup({ databaseUrl: DATABASE, folder, kind: 'daily', keep: 7, version: 'test' });

test('a folder below a file is refused with what the system says; a missing one is made, for its owner alone', async () => {
  await assert.rejects(
    making('/dev/null/below'),
    /written to \/dev\/null\/below: ENOTDIR.*Choose another folder/,
  );
  const missing = join(shared, 'new/folder');
  await assert.rejects(making(missing), /ECONNREFUSED/);
  assert.ok(existsSync(missing));
  assert.equal(statSync(missing).mode & 0o777, 0o700);
});
