import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { readConfig } from '../../src/app/config.ts';
import { LOG_LEVELS } from '../../src/lib/log.ts';
import { waitUntil } from '../time/wait-until.ts';
import { AddOn } from './home-assistant-add-on.ts';

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

test('what it reads by default is what Compose reads, as the settings have it', () => {
  const { 'x-settings': settings } = parse(readFileSync(join(checkout, 'compose.yaml'), 'utf8'), {
    merge: true,
  });
  assert.ok(String(settings.STATION_SOURCES).endsWith(`:-radio-browser=${config.options.stations}}`));
});

test('it leaves the other cores and their memory to Home Assistant', () => {
  assert.match(read('run.sh'), /^export SERVE_PROCESSES=\$\{SERVE_PROCESSES:-1\}$/m);
});

const PATIENCE_MS = 60_000;
/** A second on a machine with nothing else to do; whatever is not told to end takes a minute. */
const SOON_MS = 10_000;
const options = { ...config.options, home_place: 'Cork, Ireland', trusted_proxies: '172.30.33.0/24' };

/** Begins what is asked for, and waits until it has been begun. */
async function begun(addOn: AddOn, ...commands: string[]): Promise<void> {
  const isThere = async () => commands.every((command) => addOn.calls().includes(command)) || undefined;
  await waitUntil(commands.join(', '), isThere, PATIENCE_MS);
}

test('a setup that was cut off is done by the next start, and TERM ends each at once', async () => {
  using addOn = new AddOn(options);
  addOn.says('setup', 'exec sleep 60');
  const first = addOn.start();
  await begun(addOn, 'setup --no-stations');
  assert.ok((await first.stop()) < SOON_MS, 'while the setup is under way');
  assert.deepEqual(addOn.calls(), [
    'initdb',
    'pg_ctl start',
    'config key',
    'setup --no-stations',
    'pg_ctl stop',
  ]);
  assert.equal(first.complaints(), '');

  addOn.says('setup', 'exit 0');
  const second = addOn.start();
  await begun(addOn, 'serve', 'work');
  const calls = addOn.calls().slice(5);
  assert.deepEqual(calls.slice(0, 2), ['pg_ctl start', 'setup --no-stations']);
  assert.ok((await second.stop()) < SOON_MS, 'while the services run');
  assert.equal(addOn.calls().at(-1), 'pg_ctl stop');
  assert.deepEqual(addOn.running(), [], 'nothing is left behind');
});

test('a setup that fails is told, and radios are answered all the same; what ends by itself ends all', async () => {
  using addOn = new AddOn(options);
  addOn.says('setup', 'exit 1');
  addOn.says('work', 'sleep 0.5; exit 3');
  const run = addOn.start();
  assert.equal(await run.ended, 3);
  assert.match(run.complaints(), /the setup did not end well, see above; the next start tries again/);
  assert.ok(addOn.calls().includes('serve'));
  assert.deepEqual(addOn.running(), []);
});

test('its options are settings of the service that can be read', async () => {
  for (const [stations, sources] of [
    [config.options.stations, `radio-browser:stations=${config.options.stations}`],
    // As the option was until 0.2, which Home Assistant keeps.
    ['https://de1.api.radio-browser.info', `radio-browser:stations=${config.options.stations}`],
    ['https://lists.example/house.m3u', 'radio-browser:m3u=https://lists.example/house.m3u'],
    ['', ''],
  ]) {
    using addOn = new AddOn({ ...options, stations });
    const run = addOn.start();
    await begun(addOn, 'work');
    await run.stop();
    const settings = readConfig(addOn.settings());
    const written = settings.stationSources.map(({ name, kind, address }) => `${name}:${kind}=${address}`);
    assert.equal(written.join(' '), sources, stations);
    assert.equal(settings.trustedProxies.length, 1);
    assert.equal(settings.homePlace, 'Cork, Ireland');
  }
});

test('a database whose making was cut off is made anew', async () => {
  using addOn = new AddOn(options);
  addOn.says('initdb', 'exit 1');
  assert.equal(await addOn.start().ended, 1);
  addOn.says('initdb', 'exit 0');
  const run = addOn.start();
  await begun(addOn, 'serve');
  await run.stop();
  assert.equal(addOn.calls().filter((call) => call === 'initdb').length, 2);
});
