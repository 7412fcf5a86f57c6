import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

/** What can be told of the Debian package without installing it; `server/test/drills/install/package.test.ts` does that. */
const checkout = join(import.meta.dirname, '../../..');
const folder = join(checkout, 'deploy/debian');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

const BACKUPS = '/var/backups/longwave';

test('services that write backups may write to the folder that the package makes for them, and to no other', () => {
  assert.match(read('hardening.conf'), /^ProtectSystem=strict$/m);
  for (const unit of globSync('*.service', { cwd: folder })) {
    const text = read(unit);
    const writes = /^ExecStart(?:Pre)?=\S+\/longwave (?:migrate|work)$/m.test(text);
    const allowed = [...text.matchAll(/^ReadWritePaths=(.*)$/gm)].map(([, path]) => path);
    // With a dash a service starts too where somebody has removed it.
    assert.deepEqual(allowed, writes ? [`-${BACKUPS}`] : [], unit);
  }
  const postinst = read('postinst');
  for (const line of [`mkdir -p ${BACKUPS}`, `chown longwave:longwave ${BACKUPS}`, `chmod 0750 ${BACKUPS}`])
    assert.ok(postinst.includes(`  ${line}\n`), line);
  assert.ok(readFileSync(join(checkout, 'docs/backup.md'), 'utf8').includes(`BACKUP_FOLDER=${BACKUPS}`));
});

test('backups outlive the package: purging removes their folder only if it is empty', () => {
  const lines = read('postrm')
    .split('\n')
    .filter((line) => line.includes('/var/backups') && !line.trim().startsWith('#'));
  assert.deepEqual(lines, [`  rmdir ${BACKUPS} 2>/dev/null || true`]);
});

/** What the script asks of PostgreSQL, with a PostgreSQL that answers every question alike. */
function statementsOf(answer: string): string[] {
  const place = mkdtempSync(join(tmpdir(), 'longwave-setup-database-'));
  const asked = join(place, 'asked');
  const put = (name: string, text: string): void => {
    writeFileSync(join(place, name), text);
    chmodSync(join(place, name), 0o755);
  };
  put('longwave.env', 'DATABASE_URL=postgres:///longwave?host=/var/run/postgresql&user=longwave\n');
  put('longwave', '#!/bin/sh\n');
  put('psql', '#!/bin/sh\n');
  put('runuser', `#!/bin/sh\nfor last; do :; done\necho "$last" >>${asked}\necho '${answer}'\n`);
  const script = read('setup-database')
    .replaceAll('/etc/longwave/longwave.env', join(place, 'longwave.env'))
    .replaceAll('/usr/bin/longwave', join(place, 'longwave'));
  put('setup-database', script);
  execFileSync(join(place, 'setup-database'), { env: { PATH: `${place}:${process.env['PATH']}` } });
  const statements = readFileSync(asked, 'utf8').trim().split('\n');
  rmSync(place, { recursive: true });
  return statements.filter((statement) => !statement.startsWith('SELECT'));
}

test('the role that the package makes may create the scratch database in which a backup is proved', () => {
  const [role, database, ...more] = statementsOf('');
  assert.equal(role, 'CREATE ROLE longwave LOGIN CREATEDB');
  assert.match(database ?? '', /^CREATE DATABASE longwave OWNER longwave /);
  assert.deepEqual(more, []);
  assert.deepEqual(statementsOf('1'), [], 'a role that is there stays as its operator made it');
});
