import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CREDIT, databasePaths } from './database-paths.ts';

test('an operator’s file is for both families, and none is none', () => {
  assert.deepEqual(databasePaths('/data/city.mmdb'), { ipv4: '/data/city.mmdb', ipv6: '/data/city.mmdb' });
  assert.equal(databasePaths('none'), undefined);
});

test('the credit that the packaged data asks for is on our first page', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
  assert.ok(readme.includes(`[${CREDIT.text}](${CREDIT.url})`));
});
