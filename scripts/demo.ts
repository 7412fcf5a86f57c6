#!/usr/bin/env node
/**
 * `npm run demo`: a complete directory on this machine. Starts the services, migrates, fills the directory (a small
 * fictional one, optionally with real `--stations FILE` and `--podcasts FILE`), and serves HTTP on 8700, HTTPS on 8743
 * and the private listener on 8701. `--detach` leaves it running in the background, `--stop` ends it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureCertificate } from './demo/certificate.ts';
import { claimInstallation, hasPlaces } from '../server/src/storage/installation.ts';
import { openDatabase, useOwnDatabase } from './demo/database.ts';
import { fillFiction, findFictional } from './demo/fill.ts';
import { runningServer, startDetached, stopServer } from './demo/server.ts';
import { makeBroadcasters, stopPublishing, publishSongs } from './demo/songs.ts';
import { whatToTry } from './demo/what-to-try.ts';

const checkout = join(import.meta.dirname, '..');
const folder = process.env['LONGWAVE_DEMO_DIR'] ?? join(checkout, '.demo');
/** Exists if the demo itself started PostgreSQL and Redis, so that it stops no other ones. */
const startedServices = join(folder, 'started-services');
const main = join(checkout, 'server/src/main.ts');
const seed = join(checkout, 'server/test/seed/stations.jsonl');

const USAGE = `usage: npm run demo -- [--detach] [--stations FILE] [--podcasts FILE]
       npm run demo -- --stop

  --detach          leaves it running in the background
  --stations FILE   adds real stations to the fictional ones (a radio-browser dump, or JSON lines)
  --podcasts FILE   and real podcasts (OPML, JSON lines, the Podcast Index)
  --stop            ends it

Ports come from the environment: HTTP_PORT (8700), HTTPS_PORT (8743), PRIVATE_PORT (8701).`;

const values = readCommandLine();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

function readCommandLine(): Record<'detach' | 'stop' | 'help', boolean> & {
  stations?: string;
  podcasts?: string;
} {
  const flag = { type: 'boolean', default: false } as const;
  const file = { type: 'string' } as const;
  try {
    return parseArgs({
      options: {
        detach: flag,
        stop: flag,
        help: { ...flag, short: 'h' },
        stations: file,
        podcasts: file,
      },
    }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    return process.exit(2);
  }
}

function step(what: string, script: string, args: string[]): void {
  console.log(`- ${what}`);
  const { status } = spawnSync(process.execPath, [script, ...args], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`could not ${what}: ${script} ${args.join(' ')} ended with ${status}`);
}

const longwave = (what: string, ...args: string[]): void => step(what, main, args);

async function startServices(): Promise<void> {
  const isGiven = process.env['DATABASE_URL'] !== undefined;
  const { status } = spawnSync(process.execPath, ['scripts/services.ts', 'status'], { cwd: checkout });
  if (status !== 0) writeFileSync(startedServices, '');
  step('start PostgreSQL and Redis', 'scripts/services.ts', ['up']);
  process.loadEnvFile(join(checkout, '.env.services'));
  if (!isGiven) await useOwnDatabase();
}

/**
 * For the server and for every command, which all read all settings: an HTTPS port is invalid without a certificate,
 * and vice versa. The environment takes precedence, so that a second demo can run beside the first.
 */
function settle(): void {
  const ports = { HTTP_PORT: '8700', HTTPS_PORT: '8743', PRIVATE_PORT: '8701', HTTP_HOST: '127.0.0.1' };
  // Strict protocol: an invalid partnerId is refused.
  const protocol = { PARTNERS: 'registered', HOME_SIGN_IN: 'allow' };
  // One starts sooner than one for each core.
  const size = { SERVE_PROCESSES: '1' };
  Object.assign(process.env, {
    ...ports,
    ...protocol,
    ...size,
    ...ensureCertificate(folder),
    ...process.env,
  });
}

async function prepare(isRunning: boolean): Promise<void> {
  settle();
  await startServices();
  longwave('bring the schema up to date', 'migrate');
  await fill(isRunning);
  if (!existsSync(join(checkout, 'web/dist/index.html')))
    step('build the site', join(checkout, 'node_modules/vite/bin/vite.js'), ['build', 'web']);
  writeSettings();
  longwave('make the partner demo', 'partner', 'add', 'demo', '--name', 'Demo');
}

/** For commands beside the demo, such as its workers: `node --env-file=.demo/settings server/src/main.ts work`. */
function writeSettings(): void {
  const names = [
    'DATABASE_URL',
    'REDIS_URL',
    'MEMBER_KEY',
    'PARTNERS',
    'HOME_SIGN_IN',
    'HTTP_HOST',
    'HTTP_PORT',
    'PRIVATE_PORT',
  ];
  const lines = names.flatMap((name) =>
    process.env[name] === undefined ? [] : [`${name}=${process.env[name]}\n`],
  );
  writeFileSync(join(folder, 'settings'), lines.join(''), { mode: 0o600 });
}

/** The fictional directory first, so that its ids are the same in every new demo; real data is added to it. */
async function fill(isRunning: boolean): Promise<void> {
  const pool = openDatabase();
  try {
    await claimInstallation(pool, 'demo');
    if (!(await hasPlaces(pool)))
      longwave('import the world: countries, states, cities, postal codes', 'import', 'places');
    if ((await findFictional(pool)).length === 0) longwave('fill the directory', 'import', 'stations', seed);
    console.log('- give the fictional stations shows, topics and a weekly schedule');
    await fillFiction(pool);
    if (values.stations !== undefined)
      longwave('import the stations', 'import', 'stations', resolve(values.stations));
    if (values.podcasts !== undefined)
      longwave('import the podcasts', 'import', 'podcasts', resolve(values.podcasts));
    if (!isRunning) await makeBroadcasters(pool, folder);
  } finally {
    await pool.end();
  }
}

async function start(): Promise<void> {
  const already = runningServer(folder);
  await prepare(already !== undefined);
  const settings = process.env;
  if (already !== undefined) {
    console.log(
      `the demo is already running (process ${already}) and shows the imported data within seconds`,
    );
    return console.log(whatToTry(settings, join(folder, 'settings')));
  }
  if (values.detach) {
    await startDetached(folder, main, settings);
    publishSongs(folder, settings);
    return console.log(whatToTry(settings, join(folder, 'settings')));
  }
  console.log(whatToTry(settings, join(folder, 'settings')));
  const server = spawn(process.execPath, [main, 'serve'], { env: settings, stdio: 'inherit' });
  publishSongs(folder, settings);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));
  process.exitCode = await new Promise<number>((done) => server.once('exit', (code) => done(code ?? 1)));
  stopPublishing(folder);
}

if (values.stop) {
  stopPublishing(folder);
  console.log((await stopServer(folder)) ? 'the demo has stopped' : 'no demo was running');
  if (existsSync(startedServices)) step('stop PostgreSQL and Redis', 'scripts/services.ts', ['down']);
  rmSync(startedServices, { force: true });
} else {
  await start();
}
