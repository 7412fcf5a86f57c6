import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SECTIONS } from '../../../client/src/conformance/sections.ts';

const CHECKOUT = join(import.meta.dirname, '../../..');
const HOMES = ['', 'server/src', 'server/src/protocols/radiotime', 'server/test', 'client/src'];
const text = readFileSync(join(CHECKOUT, 'docs/protocol.md'), 'utf8');
const checkIds = new Set(SECTIONS.flatMap(({ checks }) => checks.map(({ id }) => id)));

/** A test's file between backticks, and behind it perhaps the start of a test's name in quotes. */
const references = [...text.matchAll(/`([\w./-]+\.test\.ts)`(?: "([^"\n]+)")?/g)].map(
  ([, file = '', name]) => ({ file, name }),
);
const findFile = (file: string): string | undefined =>
  HOMES.map((home) => join(CHECKOUT, home, file)).find((path) => existsSync(path));

test('every test that docs/protocol.md names exists', () => {
  assert.ok(references.length > 30);
  const missing = references.filter(({ file, name }) => {
    const path = findFile(file);
    if (path === undefined) return true;
    return (
      name !== undefined &&
      !new RegExp(`test\\(\\s*['"\`]${RegExp.escape(name)}`).test(readFileSync(path, 'utf8'))
    );
  });
  assert.deepEqual(missing, []);
});

test('every row of the kit that docs/protocol.md names exists, and it names every one', () => {
  const named = new Set([...text.matchAll(/`kit ([\w.-]+)`/g)].map(([, id = '']) => id));
  assert.deepEqual(
    [...named].filter((id) => !checkIds.has(id)),
    [],
  );
  assert.deepEqual(
    [...checkIds].filter((id) => !named.has(id)),
    [],
  );
});

test('every fault code that the server can answer with is in docs/protocol.md', () => {
  const sources = globSync('server/src/**/*.ts', { cwd: CHECKOUT }).filter(
    // What traces say of the service has such names too.
    (file) => !file.endsWith('.test.ts') && !file.endsWith('net/traces.ts'),
  );
  const codes = new Set(
    sources.flatMap((file) =>
      [
        ...readFileSync(join(CHECKOUT, file), 'utf8').matchAll(
          /'((?:api|request|partner|preset|service|validation)\.\w+)'/g,
        ),
      ].map(([, code = '']) => code),
    ),
  );
  assert.ok(codes.size > 5);
  const faults = text.slice(text.indexOf('\n## Faults'));
  assert.deepEqual(
    [...codes].filter((code) => !faults.includes(`\`${code}\``)),
    [],
  );
});
