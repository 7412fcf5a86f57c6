#!/usr/bin/env node
/** `npm test [-- FILE…]`: every test of the checkout against its own services, which are started if they do not run. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findSecrets, writtenByTests } from './secrets/search-logs.ts';
import { secretsInTests } from './secrets/secrets-in-tests.ts';
import { servicesFolder } from './services/folder.ts';

const checkout = join(import.meta.dirname, '..');
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { update: { type: 'boolean' }, name: { type: 'string' }, sums: { type: 'string' } },
});

const services = spawnSync(process.execPath, ['scripts/services.ts', 'up'], {
  cwd: checkout,
  encoding: 'utf8',
});
if (services.status !== 0) {
  process.stderr.write(services.stdout + services.stderr);
  process.exit(1);
}

/** These measure durations, which another test on the same cores would change. */
const TIMED = [
  'load/login-flood',
  'load/storm',
  'attacks/oracle',
  'fuzz/feed-fuzz',
  'fuzz/icy-fuzz',
  'load/hot-path',
  'fuzz/worst-input',
  'away/database-away',
].map((name) => `server/test/drills/${name}.test.ts`);
TIMED.push('server/test/site/speed/speed.test.ts', 'server/test/site/listening/plays.test.ts');
/** These wait more than they compute, for machines that are made, sound or minutes of silence, so they run beside the others. */
const WAITING =
  /^server\/test\/(?:drills\/(?:install\/(?:image|package)|relay\/|away\/silent-gap)|streams\/|site\/listening\/(?:comes-back|player-view))/;
/** These touch nothing outside of their process, so they share one: a process for each takes as long as its tests. */
const TOGETHER = /^(?:web|client)\/|^server\/src\/(?:lib|formats)\//;
/** This one looks at what the engine has made of an object, which depends on what else the process did. */
const BY_ITSELF = 'server/src/formats/xml-parser.test.ts';
const files =
  positionals.length > 0
    ? positionals
    : globSync('{server,client,web,scripts}/**/*.test.ts', { cwd: checkout });
const waiting = files.filter((file) => WAITING.test(file));
const together =
  positionals.length > 0 ? [] : files.filter((file) => TOGETHER.test(file) && file !== BY_ITSELF);
const beside = files.filter((file) => ![...TIMED, ...waiting, ...together].includes(file));
const alone = files.filter((file) => TIMED.includes(file));

const logs = mkdtempSync(join(tmpdir(), 'longwave-test-logs-'));
// Clients in tests run as other users and in other namespaces, and write there too.
chmodSync(logs, 0o777);

/** All of them together, should a file that never ends not be ended by itself. */
const MAX_MINUTES = 50;
/** A file in the gate, where the slowest takes seven minutes; long forms outside of it take hours. */
const MAX_FILE_MINUTES = 15;

/**
 * Whether all of them passed; an empty list passes. So many files at a time, a process each, or all in one. What is said of some
 * that run beside others is shown at their end.
 */
async function run(
  tests: readonly string[],
  processes: number | 'one',
  sums: string | undefined,
  isShownAtEnd = false,
): Promise<boolean> {
  if (tests.length === 0) return true;
  const options = [
    '--env-file=.env.services',
    '--expose-gc',
    '--import=./server/test/time/wait-factor.ts',
    '--import=./scripts/end-stuck-file.ts',
    '--test',
    processes === 'one' ? '--test-isolation=none' : `--test-concurrency=${processes}`,
    '--test-timeout=600000',
    ...(values.update ? ['--test-update-snapshots'] : []),
    ...(sums ? ['--test-reporter=spec', '--test-reporter-destination=stdout'] : []),
    ...(sums ? ['--test-reporter=./scripts/test-sums.ts', `--test-reporter-destination=${sums}`] : []),
    ...(values.name ? [`--test-name-pattern=${values.name}`] : []),
  ];
  // Hundreds of files load the same modules: compiled once, each of them takes 0.6 s of a processor less.
  const compiled = process.env['NODE_COMPILE_CACHE'] ?? join(checkout, 'node_modules/.cache/compiled');
  const fileMinutes = sums ? { TEST_FILE_MINUTES: String(MAX_FILE_MINUTES) } : {};
  const env = { ...process.env, LONGWAVE_TEST_LOGS: logs, NODE_COMPILE_CACHE: compiled, ...fileMinutes };
  const stdio = isShownAtEnd ? 'pipe' : 'inherit';
  const runner = spawn(process.execPath, [...options, ...tests], { cwd: checkout, stdio, env });
  const said: Buffer[] = [];
  for (const stream of [runner.stdout, runner.stderr])
    stream?.on('data', (piece: Buffer) => said.push(piece));
  const limit = setTimeout(() => endStuck(runner.pid ?? 0), MAX_MINUTES * 60_000);
  const [status] = await once(runner, 'close');
  clearTimeout(limit);
  process.stdout.write(Buffer.concat(said));
  return status === 0;
}

/** Says which files still run, and ends them with the runner. */
function endStuck(runner: number): void {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,etimes=,args=', '--ppid', String(runner)], {
    encoding: 'utf8',
  });
  console.log(
    `The tests have not ended in ${MAX_MINUTES} minutes and are ended now. Still running:\n${stdout}`,
  );
  const stuck = stdout.split('\n').map((line) => Number.parseInt(line, 10));
  for (const pid of [...stuck, runner]) if (pid > 0) process.kill(pid, 'SIGKILL');
}

const [passedBeside, passedTogether, passedWaiting] = await Promise.all([
  run(beside, 3, values.sums),
  run(together, 'one', values.sums && `${values.sums}.together`, true),
  run(waiting, 1, values.sums && `${values.sums}.waiting`, true),
]);
const passedAlone = await run(alone, 1, values.sums && `${values.sums}.alone`);
process.loadEnvFile(join(checkout, '.env.services'));
const secrets = secretsInTests(checkout);
const written = writtenByTests(logs, servicesFolder(checkout), process.env['REDIS_URL'] ?? '');
const found = findSecrets(secrets, written);
rmSync(logs, { recursive: true });
const bytes = written.reduce((sum, { text }) => sum + text.length, 0);
console.log(`${found.length} of the ${secrets.length} secrets that tests send are in ${bytes} bytes of logs`);
for (const { secret, where } of found) console.log(`- ${secret} is in ${where}`);
process.exit(found.length === 0 && passedBeside && passedTogether && passedWaiting && passedAlone ? 0 : 1);
