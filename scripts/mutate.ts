#!/usr/bin/env node
/**
 * `npm run mutate [-- --only TEXT] [--skip N]`: plants each fault of `mutate/faults` into a copy of this checkout, one at a time,
 * and runs the tests that ought to notice. Prints how many were detected; fails when fewer than 95 % are. It takes an
 * hour or so, and is meant for the night; the gate only checks that every fault can still be planted.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { CopyOfCheckout } from './mutate/copy-of-checkout.ts';
import { type PlantedFault, plant, testsOf } from './mutate/fault.ts';
import { FAULTS } from './mutate/faults.ts';
import { runNearest, runTests } from './mutate/run-tests.ts';

const SEEN_AT_LEAST = 0.95;
const checkout = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, skip: { type: 'string', default: '0' } },
});
// An interrupted run goes on where it was.
const wanted = FAULTS.filter(({ file, fault }) => `${file}: ${fault}`.includes(values.only)).slice(
  Number(values.skip),
);
if (wanted.length === 0) {
  console.error(`no fault has '${values.only}' in its file or description; see scripts/mutate/faults`);
  process.exit(2);
}

const started = performance.now();
using copy = new CopyOfCheckout(checkout);
const services = (...words: string[]): number | null =>
  spawnSync(process.execPath, ['scripts/services.ts', ...words], { cwd: copy.folder, stdio: 'inherit' })
    .status;

/** Whether a file passes without any fault; tested once each. */
const sound = new Map<string, boolean>();

async function isSound(file: string): Promise<boolean> {
  let passes = sound.get(file);
  if (passes === undefined) sound.set(file, (passes = !(await runTests(copy.folder, [file]))));
  return passes;
}

/**
 * Which test detected the fault. Its file must fail with the fault again, and pass without it: otherwise it was
 * chance.
 */
async function seenBy(planted: PlantedFault): Promise<string | undefined> {
  const spoiled = join(copy.folder, 'server/src', planted.file);
  writeFileSync(spoiled, plant(copy.folder, planted));
  const failure = await runNearest(copy.folder, testsOf(planted), `${planted.file} ${planted.fault}`);
  const file = failure?.file === undefined ? undefined : relative(copy.folder, failure.file);
  const again = file === undefined ? failure : await runTests(copy.folder, [file]);
  copyFileSync(join(checkout, 'server/src', planted.file), spoiled);
  if (!again || file === undefined || (await isSound(file))) return again?.name;
  console.log(`${file} also fails without the fault, so it proves nothing`);
  return undefined;
}

try {
  if (services('up') !== 0) process.exit(1);
  let seen = 0;
  for (const planted of wanted) {
    const test = await seenBy(planted);
    if (test !== undefined) seen += 1;
    const outcome = test === undefined ? 'NOT SEEN' : `seen by "${test}"`;
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`${seconds} s ${planted.file}: ${planted.fault}: ${outcome}`);
  }
  console.log(`${seen} of ${wanted.length} planted faults were detected`);
  if (seen < wanted.length * SEEN_AT_LEAST) process.exitCode = 1;
} finally {
  services('down', '--remove');
}
