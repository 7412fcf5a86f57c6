import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { compressAll } from './compressed.ts';

/**
 * Builds aside, and puts the build in its place when it is whole: whoever reads `dist` finds the one before or the new
 * one, also where two build at once.
 */
export function wholeBuild(aside: string, place: string): Plugin {
  let isBroken = false;
  return {
    name: 'whole-build',
    apply: 'build',
    buildEnd: (error) => {
      isBroken = error !== undefined;
    },
    closeBundle: () => {
      if (isBroken) return rmSync(aside, { recursive: true, force: true });
      compressAll(aside);
      // By its time the server knows a newer build.
      writeFileSync(join(aside, 'built'), new Date().toISOString());
      putInPlace(aside, place);
    },
  };
}

function putInPlace(aside: string, place: string): void {
  const before = `${aside}-before`;
  try {
    renameSync(place, before);
  } catch {
    // There was none, or another build has just taken it away.
  }
  rmSync(place, { recursive: true, force: true });
  renameSync(aside, place);
  rmSync(before, { recursive: true, force: true });
}
