import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from '../../time/wait-until.ts';

const CHECKOUT = join(import.meta.dirname, '../../../..');
const CACHE = join(CHECKOUT, 'node_modules/.cache/site');
const BUILT = join(CHECKOUT, 'web/dist');
/** Beside the built files, of no kind that is served. */
const MARK = 'made-of';
const SOURCES = [
  'web/{src,public,build}/**/*',
  'web/{index.html,vite.config.ts,package.json}',
  'client/src/**/*.ts',
  'package-lock.json',
];
const BUILD_MS = 180_000;

/** Builds the site where `longwave serve` looks for it, unless what is there was made of these very sources. */
export async function ensureBuilt(): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const lock = join(CACHE, 'building');
  await waitUntil('the build of another test', async () => isTaken(lock) || undefined, BUILD_MS);
  try {
    const sources = digest();
    if (builtOf() !== sources && !isBuiltSince(sources)) await build(sources);
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** Whoever makes the folder builds; a lock that outlived its builder is nobody's. */
function isTaken(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    const made = statSync(lock, { throwIfNoEntry: false });
    if (made && Date.now() - made.mtimeMs > BUILD_MS) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

async function build(sources: string): Promise<void> {
  const vite = join(CHECKOUT, 'node_modules/.bin/vite');
  await promisify(execFile)(vite, ['build', '--logLevel', 'warn'], {
    cwd: join(CHECKOUT, 'web'),
    timeout: BUILD_MS,
  });
  writeFileSync(join(BUILT, MARK), sources);
}

/** `npm run build` marks nothing: what it made after the last change of a source is of these sources. */
function isBuiltSince(sources: string): boolean {
  const built = statSync(join(BUILT, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isNewest =
    !existsSync(join(BUILT, MARK)) &&
    sourceFiles().every((file) => statSync(join(CHECKOUT, file)).mtimeMs < built);
  if (isNewest) writeFileSync(join(BUILT, MARK), sources);
  return isNewest;
}

const builtOf = (): string | undefined =>
  existsSync(join(BUILT, MARK)) ? readFileSync(join(BUILT, MARK), 'utf8') : undefined;

function digest(): string {
  const hash = createHash('sha256');
  for (const file of sourceFiles()) hash.update(file).update(readFileSync(join(CHECKOUT, file)));
  return hash.digest('hex');
}

const sourceFiles = (): string[] =>
  globSync(SOURCES, { cwd: CHECKOUT })
    .filter((each) => !each.endsWith('.test.ts') && statSync(join(CHECKOUT, each)).isFile())
    .toSorted();
