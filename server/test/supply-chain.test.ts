import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** With the signatures of the registry, which needs it: `AUDIT_SIGNATURES=on node scripts/test.ts server/test/supply-chain.test.ts` */
const ASKS_REGISTRY = process.env['AUDIT_SIGNATURES'] === 'on';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

interface LockedPackage {
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

const locked: Record<string, LockedPackage> = JSON.parse(read('package-lock.json')).packages;
/** Without our own, which are folders of this repository. */
const foreign = Object.entries(locked).filter(([path, { link }]) => path.includes('node_modules/') && !link);

test('every package is from the registry, and what it contains is known by its hash', () => {
  assert.ok(foreign.length > 100, `${foreign.length} packages`);
  const strange = foreign.filter(
    // Without an address it is from whatever registry npm is set up with: a mirror has the same bytes.
    ([, { resolved, integrity = '' }]) =>
      (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')) ||
      !/^sha512-[\w+/]{86}==$/.test(integrity),
  );
  assert.deepEqual(
    strange.map(([path]) => path),
    [],
  );
});

test('no package runs anything when it is installed, and npm is told not to let it', () => {
  const running = foreign.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
  assert.deepEqual(running, []);
  assert.match(read('.npmrc'), /^ignore-scripts=true$/m);
});

type Manifest = Partial<Record<'dependencies' | 'devDependencies' | 'optionalDependencies', object>>;

test('every package that we chose is argued for in docs/dependencies.md', () => {
  const argued = read('docs/dependencies.md');
  const named = new Set(
    [...argued.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, names = '']) =>
      names.split(',').map((name) => name.replace(/\(.*\)/, '').trim()),
    ),
  );
  const chosen = ['', 'server/', 'client/', 'web/'].flatMap((folder) => {
    const manifest: Manifest = JSON.parse(read(`${folder}package.json`));
    const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = manifest;
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  });
  const unargued = chosen.filter((name) => !name.startsWith('@longwave/') && !named.has(name));
  assert.deepEqual(unargued, []);
});

if (ASKS_REGISTRY)
  test('the registry has signed every package that is installed', (t) => {
    const told = execFileSync('npm', ['audit', 'signatures'], { cwd: ROOT, encoding: 'utf8' });
    t.diagnostic(told.trim());
    assert.doesNotMatch(told, /missing|invalid/);
  });
