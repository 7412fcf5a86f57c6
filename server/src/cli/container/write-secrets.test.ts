import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readConfig } from '../../app/config.ts';
import { writeSecrets } from './write-secrets.ts';

function scratch(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'longwave-new-secrets-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

const FILES = ['database-url', 'database/password', 'member-key'];
const contents = (folder: string): string[] => FILES.map((file) => readFileSync(join(folder, file), 'utf8'));

test('new secrets are settings that work, readable by this user alone', (t) => {
  const folder = scratch(t);
  assert.equal(writeSecrets(folder).length, FILES.length);
  const config = readConfig({
    DATABASE_URL_FILE: join(folder, 'database-url'),
    MEMBER_KEY_FILE: join(folder, 'member-key'),
  });
  const password = readFileSync(join(folder, 'database/password'), 'utf8').trim();
  assert.match(password, /^[\w-]{43}$/);
  assert.equal(new URL(config.databaseUrl).password, password);
  assert.match(config.memberKey ?? '', /^[\w-]{43}$/);
  assert.notEqual(config.memberKey, password);
  for (const file of FILES) assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600, file);
  assert.deepEqual(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted(),
    [...FILES, 'database'].toSorted(),
  );
});

test('what is there stays as it is; only what is missing is written, by the password that is kept', (t) => {
  const folder = scratch(t);
  writeSecrets(folder);
  const before = contents(folder);
  assert.deepEqual(writeSecrets(folder), []);
  assert.deepEqual(contents(folder), before);
  unlinkSync(join(folder, 'database-url'));
  assert.deepEqual(writeSecrets(folder), [join(folder, 'database-url')]);
  assert.deepEqual(contents(folder), before);
});
