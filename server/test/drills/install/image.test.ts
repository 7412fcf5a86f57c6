import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { baseName, buildImage, IMAGE, packedBytes } from '../../../../scripts/package/image/build-image.ts';
import { Containers } from '../../../../scripts/package/image/containers.ts';
import { seededDatabase, type TestDatabase } from '../../database/database.ts';
import { startContainerMachine } from './five-minutes/container-machine.ts';
import { openHomeNetwork, STATION_SOURCES } from './five-minutes/home-network.ts';
import { hearStation } from './five-minutes/radio.ts';
import { readmeCommands, Stopwatch, WAYS } from './five-minutes/readme.ts';
import { buildServiceImages } from './five-minutes/service-images.ts';
import { keepAndBringBack } from './image-backups.ts';
import { CONFINED, type ImageSettings, imageSettings, MEMBER_KEY, SECRETS, UID } from './image-settings.ts';

const MAX_PACKED_BYTES = 130e6;
const START_MS = 300_000;

const OWN_ARCH = process.arch === 'arm64' ? 'arm64' : 'x64';
const CHECKOUT = join(import.meta.dirname, '../../../..');

const stopwatch = new Stopwatch();
let containers: Containers;
let database: TestDatabase;
let given: ImageSettings;

before(async () => {
  containers = new Containers();
  database = await seededDatabase();
  await stopwatch.time('the build of the image, which the first start begins with', () =>
    buildImage(containers, OWN_ARCH),
  );
  given = await imageSettings(containers, database.url);
});
after(async () => {
  containers[Symbol.dispose]();
  await database[Symbol.asyncDispose]();
});

/** Starts a command of the image and waits until its own health check passes. */
async function start(name: string): Promise<void> {
  containers.podman('run', '--detach', '--name', name, ...CONFINED, ...given.options, IMAGE, name);
  const deadline = performance.now() + START_MS;
  for (;;) {
    const { status, stderr } = containers.tryPodman('exec', name, 'longwave', 'healthcheck', name);
    if (status === 0) return;
    const isLate = performance.now() > deadline;
    if (isLate || stateOf(name).Status !== 'running')
      assert.fail(`${stderr}${containers.tryPodman('logs', name).stdout}`);
    await sleep(500);
  }
}

const inside = (name: string, ...command: string[]) => containers.tryPodman('exec', name, ...command);

function stateOf(name: string): { Status: string; ExitCode: number } {
  const [{ State }] = JSON.parse(containers.podman('inspect', name));
  return State;
}

/** As `docker stop` does. */
function stop(name: string): void {
  containers.podman('stop', '--time', '40', name);
  assert.equal(stateOf(name).ExitCode, 0, 'it stopped in order, by itself');
  assert.match(containers.podman('logs', name), /"msg":"stopped"/);
}

test('the README leads from a clone to the sound of a station in five minutes', async (t) => {
  const compose = readFileSync(join(CHECKOUT, 'compose.yaml'), 'utf8');
  const name = /\$\{LONGWAVE_IMAGE:-(?<name>[^}]+)\}/u.exec(compose)?.groups?.['name'] ?? '';
  containers.podman('tag', IMAGE, `localhost/${name}`);
  buildServiceImages(containers, baseName(OWN_ARCH));
  await using machine = await startContainerMachine(containers);
  await using home = await openHomeNetwork();
  await home.connect(machine.pid);
  writeFileSync(join(machine.clone, '.env'), `${STATION_SOURCES}\n`);
  for (const command of readmeCommands(WAYS.containers))
    await stopwatch.time(command, () => machine.type(command));
  await stopwatch.time('a radio finds the station, and plays it', () => hearStation(home));
  t.diagnostic(stopwatch.write(WAYS.containers, `${(bytesOfImage() / 1e6).toFixed(0)} MB of image`));
  assert.match(await machine.type('docker compose exec -T server longwave radios'), /mopidy/i);
  const keptMs = performance.now();
  await keepAndBringBack(machine);
  t.diagnostic(`backups, and the ways back: ${((performance.now() - keptMs) / 1000).toFixed(0)} s`);
  // Started once more, as after an update, it keeps its secrets and finds its database.
  await machine.type('docker compose --profile dns up -d');
  await machine.type('docker compose --profile relay up -d');
  const ready = 'docker compose logs server | grep -q "the relay is ready"';
  await machine.type(`for n in $(seq 90); do ${ready} && exit 0; sleep 1; done; exit 1`);
  await machine.type('docker compose --profile dns --profile relay down --volumes');
});

const bytesOfImage = (): number =>
  Number(containers.podman('inspect', '--type', 'image', '--format', '{{.Size}}', IMAGE));

test('the image fits on a small machine, and holds what runs and nothing else', (t) => {
  const bytes = packedBytes(containers);
  t.diagnostic(`${(bytes / 1e6).toFixed(1)} MB packed`);
  assert.ok(bytes < MAX_PACKED_BYTES, `${bytes} bytes`);
  const names = ['main.ts', '*.test.ts', 'typescript', 'vite', '*.mmdb', 'ca.crt', 'pg_*', 'psql', '*.deb'];
  const find = `find / -xdev '(' ${names.map((name) => `-name '${name}'`).join(' -o ')} ')' 2>/dev/null`;
  const { stdout } = containers.tryPodman(
    'run',
    '--rm',
    ...CONFINED,
    '--entrypoint',
    'sh',
    IMAGE,
    '-c',
    find,
  );
  // Of PostgreSQL what backups take (docs/backup.md), without the Perl that its package brings.
  const programs = ['pg_dump', 'pg_restore', 'psql'].map((name) => `/usr/lib/postgresql/15/bin/${name}`);
  assert.deepEqual(stdout.trim().split('\n').toSorted(), ['/opt/longwave/server/src/main.ts', ...programs]);
});

test('it says what it is, runs as nobody, and asks itself whether it is ready', () => {
  const [{ Config: config, Healthcheck: check }] = JSON.parse(
    containers.podman('inspect', '--type', 'image', IMAGE),
  );
  assert.equal(config.User, `${UID}:${UID}`);
  assert.deepEqual(check.Test, ['CMD', 'longwave', 'healthcheck']);
  assert.equal(config.Labels['org.opencontainers.image.title'], 'Longwave');
  assert.match(config.Labels['org.opencontainers.image.version'], /^\d+\.\d+\.\d+/);
  assert.match(config.Labels['org.opencontainers.image.revision'], /^([0-9a-f]{40}|unknown)$/);
});

test('a radio is served from a read-only container of 300 MB, until it is told to stop', async () => {
  await start('serve');
  const { origin } = given;
  const menu = await fetch(`${origin}/Browse.ashx?c=lang&partnerId=image`);
  assert.equal(menu.status, 200);
  assert.match(await menu.text(), /<outline type="link" text="[^"]+" URL="http:\/\/127\.0\.0\.1/);
  const page = await fetch(`${origin}/listen/`, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<script/);
  assert.equal(inside('serve', 'id', '-u').stdout.trim(), `${UID}`);
  for (const path of ['/x', '/opt/longwave/x', '/var/cache/longwave/x', '/var/lib/longwave/secrets/x']) {
    const { status, stderr } = inside('serve', 'touch', path);
    assert.equal(status, 1, path);
    assert.match(stderr, /Read-only file system/, path);
  }
  stop('serve');
});

test('no secret is in what the container and the image are described by', () => {
  const described = [
    containers.podman('inspect', 'serve'),
    containers.podman('inspect', '--type', 'image', IMAGE),
    containers.podman('history', '--no-trunc', IMAGE),
    containers.podman('logs', 'serve'),
  ].join('\n');
  assert.ok(described.includes(`${SECRETS}/member-key`));
  assert.ok(!described.includes(MEMBER_KEY));
  assert.ok(!described.includes(database.url));
  assert.doesNotMatch(described, /BEGIN CERTIFICATE/);
});

test('the worker of the same image is ready by its own check, and stops in order', async () => {
  await start('work');
  const other = inside('work', 'longwave', 'healthcheck');
  assert.equal(other.status, 1);
  assert.match(other.stderr, /the server does not answer at .* is longwave serve running/);
  stop('work');
});

test('a command starts from code that was compiled with the image', (t) => {
  const debug = ['--env', 'NODE_DEBUG_NATIVE=COMPILE_CACHE'];
  const command = ['run', '--rm', ...CONFINED, ...debug, IMAGE, 'config', 'key'];
  const { status, stdout, stderr } = containers.tryPodman(...command);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^[\w-]{43}$/m);
  const said = `${stdout}${stderr}`;
  const accepted = said.match(/accepted/g)?.length ?? 0;
  t.diagnostic(`${accepted} modules from the cache`);
  assert.ok(accepted > 10, said.slice(0, 2000));
  assert.doesNotMatch(said, /rejected/);
});

test('the secrets of compose.yaml are written once, for the user of the image alone', () => {
  const folder = '/var/lib/longwave/secrets';
  const volumes = ['--volume', `secrets:${folder}`, '--volume', `database:${folder}/database`];
  const write = (): string =>
    containers.podman('run', '--rm', ...CONFINED, ...volumes, IMAGE, 'config', 'secrets', folder);
  const shell = [
    '--entrypoint',
    'sh',
    IMAGE,
    '-c',
    `cd ${folder}; stat -c '%n %a %u' * */*; sha256sum *-* */*`,
  ];
  const look = (): string => containers.podman('run', '--rm', ...CONFINED, ...volumes, ...shell);
  assert.equal(write().match(/^wrote /gm)?.length, 3);
  const first = look();
  for (const file of ['member-key', 'database-url', 'database/password'])
    assert.ok(first.includes(`${file} 600 ${UID}\n`), first);
  assert.match(write(), /^all secrets are in/);
  assert.equal(look(), first);
});
