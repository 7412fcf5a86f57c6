#!/usr/bin/env node
/** `npm test [-- FILE…]`: every test of the checkout against its own services, which are brought up when they are not. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const checkout = join(import.meta.dirname, '..');
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { update: { type: 'boolean' }, name: { type: 'string' }, tap: { type: 'string' } },
});

const services = spawnSync(process.execPath, ['scripts/services.ts', 'up'], {
  cwd: checkout,
  encoding: 'utf8',
});
if (services.status !== 0) {
  process.stderr.write(services.stdout + services.stderr);
  process.exit(1);
}

const files = positionals.length > 0 ? positionals : ['{server,client,web,scripts}/**/*.test.ts'];
const options = [
  '--env-file=.env.services',
  '--test',
  '--test-concurrency=2',
  '--test-timeout=600000',
  ...(values.update ? ['--test-update-snapshots'] : []),
  ...(values.tap ? ['--test-reporter=spec', '--test-reporter-destination=stdout'] : []),
  ...(values.tap ? ['--test-reporter=tap', `--test-reporter-destination=${values.tap}`] : []),
  ...(values.name ? [`--test-name-pattern=${values.name}`] : []),
];
const tests = spawnSync(process.execPath, [...options, ...files], { cwd: checkout, stdio: 'inherit' });
process.exit(tests.status ?? 1);
