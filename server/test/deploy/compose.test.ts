import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SETTINGS } from '../../src/app/config.ts';
import { fileVariable } from '../../src/app/settings/setting-text.ts';

const CHECKOUT = join(import.meta.dirname, '../../..');
const ONE_SHOTS = ['secrets', 'setup'];

interface Service {
  image: string;
  environment?: Record<string, string>;
  command?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  restart?: string;
  mem_limit?: string;
  read_only?: boolean;
  cap_drop?: string[];
  ports?: string[];
  volumes?: string[];
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
}

const TO_JSON = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))';

function readYaml(file: string): Compose {
  const input = readFileSync(join(CHECKOUT, file));
  const { status, stdout, stderr } = spawnSync('python3', ['-c', TO_JSON], { input, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const { services, volumes } = readYaml('compose.yaml');
const ours = Object.entries(services).filter(([, { image }]) => image.includes('LONGWAVE_IMAGE'));
const version: string = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')).version;

/** The value of `${NAME:-value}`, by name. */
const defaults = new Map(
  Array.from(JSON.stringify(services).matchAll(/\$\{(\w+):-([^}]*)\}/g), ([, name = '', value = '']) => [
    name,
    value,
  ]),
);

test('the whole directory: every service has a limit of memory, and starts again unless its work is done', () => {
  assert.deepEqual(Object.keys(services).toSorted(), [
    'dns',
    'postgres',
    'redis',
    'relay',
    'secrets',
    'server',
    'setup',
    'worker',
  ]);
  for (const [name, { mem_limit: limit, restart }] of Object.entries(services)) {
    assert.match(limit ?? '', /^\d+m$/, name);
    assert.equal(restart, ONE_SHOTS.includes(name) ? undefined : 'unless-stopped', name);
  }
});

test('our own run read-only, without capabilities, in the release of this source', () => {
  assert.equal(ours.length, 6);
  for (const [name, service] of ours) {
    assert.equal(service.read_only, true, name);
    assert.deepEqual(service.cap_drop, ['ALL'], name);
  }
  assert.match(defaults.get('LONGWAVE_IMAGE') ?? '', new RegExp(`:${version.replaceAll('.', '\\.')}$`));
});

test('every setting is one of ours, and no secret is in the file', () => {
  const all = Object.values(SETTINGS);
  const known = new Set(all.map(({ name }) => name));
  for (const { name, secret } of all) if (secret) known.add(fileVariable(name));
  for (const [name, { environment = {} }] of ours)
    for (const variable of Object.keys(environment)) assert.ok(known.has(variable), `${name}: ${variable}`);
  const secret = /PASSWORD(?!_FILE)|MEMBER_KEY(?!_FILE)|DATABASE_URL(?!_FILE)/;
  assert.doesNotMatch(JSON.stringify(services), secret);
});

test('each waits for what it needs: done if that ends, healthy if it stays', () => {
  for (const [name, { depends_on: needs = {} }] of Object.entries(services)) {
    for (const [needed, { condition }] of Object.entries(needs)) {
      const wanted = ONE_SHOTS.includes(needed) ? 'service_completed_successfully' : 'service_healthy';
      assert.equal(condition, wanted, `${name} needs ${needed}`);
      const isOurs = ours.some(([own]) => own === needed);
      if (wanted === 'service_healthy' && !isOurs) assert.ok(services[needed]?.healthcheck, needed);
    }
  }
  assert.deepEqual(services['worker']?.healthcheck?.test, ['CMD', 'longwave', 'healthcheck', 'work']);
});

test('volumes are named, PostgreSQL does not see the key, and only the server and the relay can be called', () => {
  for (const [name, { volumes: used = [], ports }] of Object.entries(services)) {
    for (const volume of used)
      assert.ok(Object.hasOwn(volumes, volume.split(':')[0] ?? ''), `${name}: ${volume}`);
    assert.equal(ports !== undefined, ['server', 'relay'].includes(name), name);
  }
  assert.ok(!services['postgres']?.volumes?.some((volume) => volume.startsWith('secrets:')));
});

test('update and worker keep backups in one volume, with the programs of the PostgreSQL that is started', () => {
  const folder = '/var/lib/longwave/backups';
  const keeping = ours.filter(([, { environment }]) => environment?.['BACKUP_FOLDER'] === folder);
  assert.deepEqual(
    keeping.map(([name]) => name),
    ['setup', 'worker'],
  );
  for (const [name, { volumes: used }] of keeping) assert.ok(used?.includes(`backups:${folder}`), name);
  const dockerfile = readFileSync(join(CHECKOUT, 'Dockerfile'), 'utf8');
  // A new volume gets its owner from the folder of the image.
  assert.match(dockerfile, new RegExp(`install -d -o longwave -g longwave -m 700 .*${folder}`));
  const [, programs] = /^ARG POSTGRES_VERSION=(\d+)$/m.exec(dockerfile) ?? [];
  assert.match(services['postgres']?.image ?? '', new RegExp(`/postgres:${programs}-`));
});

test('.env.example has at most six values, each as it is without that file', () => {
  const lines = readFileSync(join(CHECKOUT, '.env.example'), 'utf8').split('\n');
  const values = lines.filter((line) => line !== '' && !line.startsWith('#'));
  assert.ok(values.length <= 6);
  assert.deepEqual(
    new Map(values.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])),
    new Map(values.map((line) => line.slice(0, line.indexOf('='))).map((name) => [name, defaults.get(name)])),
  );
  assert.equal(values.length, defaults.size, 'every value of compose.yaml is in it');
});

test('PostgreSQL and Redis of a checkout are a file of their own', () => {
  const { services: few } = readYaml('compose.dev.yaml');
  assert.deepEqual(Object.keys(few).toSorted(), ['postgres', 'redis']);
});
