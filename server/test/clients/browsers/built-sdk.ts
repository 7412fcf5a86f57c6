import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const CHECKOUT = join(import.meta.dirname, '../../../..');

/** The client as it is published: compiled, in a folder that has nothing of this checkout around it. */
export function buildSdk(folder: string): string {
  const built = join(folder, 'sdk');
  const tsc = join(CHECKOUT, 'node_modules/.bin/tsc');
  execFileSync(tsc, ['-p', join(CHECKOUT, 'client'), '--outDir', join(built, 'dist')], { stdio: 'pipe' });
  mkdirSync(built, { recursive: true });
  cpSync(join(CHECKOUT, 'client/package.json'), join(built, 'package.json'));
  return join(built, 'dist');
}
