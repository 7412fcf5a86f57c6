import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROUTES } from '../../src/protocols/site/api/routes.ts';

const SRC = join(import.meta.dirname, '../../src');
const text = readFileSync(join(import.meta.dirname, '../../../docs/site-api.md'), 'utf8');

const section = (heading: string): string => {
  const start = text.indexOf(`\n## ${heading}\n`);
  assert.ok(start > 0, heading);
  const end = text.indexOf('\n## ', start + 1);
  return text.slice(start, end === -1 ? undefined : end);
};

test('docs/site-api.md lists every call with its policy, and no other', () => {
  const written = section('The calls')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const expected = ROUTES.map(
    ({ method, path, who, does }) => `| \`${method} ${path}\` | ${who} | ${does} |`,
  );
  assert.deepEqual(written, expected);
});

test('docs/site-api.md lists every code of the site, and no other', () => {
  const files = globSync('protocols/site/{api,listing,session,suggestions}/**/*.ts', { cwd: SRC }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const used = new Set(
    files.flatMap((file) =>
      [...readFileSync(join(SRC, file), 'utf8').matchAll(/'(site\.\w+)'/g)].map(([, code = '']) => code),
    ),
  );
  const written = [...section('Codes').matchAll(/^\| `(site\.\w+)`/gm)].map(([, code = '']) => code);
  assert.deepEqual(written.toSorted(), [...used].toSorted());
});
