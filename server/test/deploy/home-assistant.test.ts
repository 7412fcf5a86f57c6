import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { LOG_LEVELS } from '../../src/lib/log.ts';

const checkout = join(import.meta.dirname, '../../..');
const folder = join(checkout, 'deploy/home-assistant/longwave');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const config = parse(read('config.yaml'));

test('the add-on has what Home Assistant requires, at the version of this checkout', () => {
  for (const key of ['name', 'version', 'slug', 'description', 'arch']) assert.ok(config[key], key);
  assert.match(config.slug, /^[-_.A-Za-z0-9]+$/);
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  assert.equal(config.version, version);
  assert.deepEqual(config.arch, ['amd64', 'aarch64']);
  assert.ok(['initialize', 'system', 'services', 'application', 'once'].includes(config.startup));
  assert.ok(['auto', 'manual', 'manual_only'].includes(config.boot));
  assert.ok(['hot', 'cold'].includes(config.backup));
  assert.deepEqual(config.ports, { '80/tcp': 80 });
  for (const address of [config.webui, config.watchdog])
    assert.match(address, /^http:\/\/\[HOST\]:\[PORT:80\]\//);
  const { build_from: bases } = parse(read('build.yaml'));
  for (const arch of config.arch) assert.equal(bases[arch], `longwave:${version}`);
});

test('every option has a type, a default, a name and a use', () => {
  const names = Object.keys(config.options).toSorted();
  assert.deepEqual(Object.keys(config.schema).toSorted(), names);
  const words = parse(read('translations/en.yaml'));
  assert.deepEqual(Object.keys(words.configuration).toSorted(), names);
  assert.deepEqual(Object.keys(words.network), Object.keys(config.ports));
  const script = read('run.sh');
  for (const name of names) {
    assert.match(config.schema[name], /^(?:str|url|bool|int|port|list\(.+\))\??$/);
    assert.ok(words.configuration[name].name && words.configuration[name].description, name);
    assert.ok(script.includes(`option ${name}`), `run.sh reads ${name}`);
  }
  const levels =
    /^list\((?<levels>.+)\)$/.exec(config.schema.log_level)?.groups?.['levels']?.split('|') ?? [];
  const known = new Set<string>(LOG_LEVELS);
  assert.deepEqual(
    levels.filter((level) => !known.has(level)),
    [],
  );
});

test('its script can be run, and its image ends in it', () => {
  assert.equal(statSync(join(folder, 'run.sh')).mode & 0o111, 0o111);
  execFileSync('bash', ['-n', join(folder, 'run.sh')]);
  const dockerfile = read('Dockerfile');
  assert.match(dockerfile, /^ARG BUILD_FROM\nFROM \$\{BUILD_FROM\}$/m);
  assert.match(dockerfile, /^COPY .*run\.sh \/run\.sh$/m);
  assert.match(dockerfile, /^CMD \["\/run\.sh"\]$/m);
  assert.match(read('DOCS.md'), /^# Longwave\n/);
});

test('it leaves the other cores and their memory to Home Assistant', () => {
  assert.match(read('run.sh'), /^export SERVE_PROCESSES=\$\{SERVE_PROCESSES:-1\}$/m);
});
