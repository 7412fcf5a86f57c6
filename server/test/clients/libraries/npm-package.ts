import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const CACHE = join(import.meta.dirname, '../../../../node_modules/.cache/clients');

/** The folder of a package that is no dependency of ours, fetched once; none of its install scripts is run. */
export function fetchPackage(name: string, version: string): string {
  const kept = join(CACHE, `${name}-${version}`);
  if (!existsSync(kept)) install(`${name}@${version}`, kept);
  return join(kept, 'node_modules', name);
}

/** In a folder of its own, which takes its name only when it is whole: another test may be fetching the same. */
function install(wanted: string, kept: string): void {
  mkdirSync(CACHE, { recursive: true });
  const making = mkdtempSync(join(CACHE, 'making-'));
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
  execFileSync('npm', ['install', '--prefix', making, ...quietly, wanted], {
    timeout: 120_000,
    stdio: 'pipe',
  });
  try {
    renameSync(making, kept);
  } catch (error) {
    rmSync(making, { recursive: true });
    if (!existsSync(kept)) throw error;
  }
}
