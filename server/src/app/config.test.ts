import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { configurationPage } from '../../../scripts/docs.ts';
import { SETTINGS, maskedConfig, readConfig } from './config.ts';

test('a setting is still read by the name that it had in the release before, unless the new one is set', () => {
  assert.equal(readConfig({ PROBES_AT_ONCE: '7' }).probeConcurrency, 7);
  assert.equal(readConfig({ PROBES_AT_ONCE: '7', PROBE_CONCURRENCY: '8' }).probeConcurrency, 8);
});

test('nothing set is a working home', () => {
  const config = readConfig({});
  assert.equal(config.databaseUrl, 'postgres://localhost/longwave');
  assert.equal(config.httpPort, 8700);
  assert.equal(config.privateHost, '127.0.0.1');
  assert.equal(config.httpsPort, undefined);
  assert.deepEqual(config.publicHosts, []);
  assert.ok(Object.isFrozen(config));
});

test('unknown partners register themselves at home, and are refused where hosts are named, unless told otherwise', () => {
  const [HOME, NAMED] = [{}, { PUBLIC_HOSTS: 'radio.example.org' }];
  assert.equal(readConfig(HOME).partners, 'any');
  assert.equal(readConfig(NAMED).partners, 'registered');
  assert.equal(readConfig({ ...HOME, PARTNERS: 'registered' }).partners, 'registered');
  assert.equal(readConfig({ ...NAMED, PARTNERS: 'any' }).partners, 'any');
});

test('settings are read, trimmed, and empty is unset', () => {
  const config = readConfig({
    HTTP_PORT: ' 80 ',
    PUBLIC_HOSTS: 'Radio.Example.org:80, radio.example.org:8700',
    TRUSTED_PROXIES: '10.0.0.0/8,::1',
    LOG_LEVEL: '',
    HOME_PLACE: 'Cork, Ireland',
  });
  assert.equal(config.httpPort, 80);
  assert.deepEqual(config.publicHosts, ['radio.example.org', 'radio.example.org:8700']);
  assert.equal(config.trustedProxies.length, 2);
  assert.equal(config.logLevel, 'info');
  assert.equal(config.homePlace, 'Cork, Ireland');
});

const wrong: [setting: Record<string, string>, told: RegExp][] = [
  [{ HTTP_PORT: 'eighty' }, /HTTP_PORT is 'eighty'; it must be a port number/],
  [{ HTTP_PORT: '70000' }, /HTTP_PORT/],
  [{ HTTP_PORT: '-1' }, /HTTP_PORT/],
  [{ HTTP_PORT: '8e3' }, /HTTP_PORT/],
  [{ MAX_IN_FLIGHT: '0' }, /MAX_IN_FLIGHT is '0'; it must be a whole number from 1 to 100000/],
  [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL is 'loud'; it must be one of trace, debug/],
  [{ LOG_LEVEL: 'loud' }, /must be one of trace, debug/],
  [{ PARTNERS: 'all' }, /PARTNERS is 'all'; it must be one of registered, any/],
  [{ TRUSTED_PROXIES: 'true' }, /TRUSTED_PROXIES is 'true'; .*any caller could then choose/],
  [{ TRUSTED_PROXIES: '1' }, /TRUSTED_PROXIES is '1'/],
  [{ TRUSTED_PROXIES: '0.0.0.0/0' }, /TRUSTED_PROXIES/],
  [{ TRUSTED_PROXIES: '::ffff:10.0.0.0/8' }, /TRUSTED_PROXIES/],
  [{ TRUSTED_PROXIES: '10.0.0.0/8,' }, /TRUSTED_PROXIES/],
  [{ PUBLIC_HOSTS: 'http://radio.example.org' }, /PUBLIC_HOSTS/],
  [
    { DATABASE_URL: 'mysql://localhost' },
    /DATABASE_URL is malformed; it must be an address that begins with postgres/,
  ],
  [{ REGISTRATION_URL: 'javascript:alert(1)' }, /REGISTRATION_URL/],
  [{ SITE: 'yes' }, /SITE is 'yes'; it must be one of on, off/],
  [{ SITE_HOST: 'https://listen.example.org' }, /SITE_HOST is .*; it must be one host name, without http/],
  [{ HTTPS_PORT: '443' }, /set TLS_CERT_FILE and TLS_KEY_FILE too/],
  [{ TLS_CERT_FILE: '/tmp/x' }, /set HTTPS_PORT too/],
  [{ HTTP_PORT: '8701' }, /must be three different ports/],
  [{ HOME_PLACE: 'a\nb' }, /HOME_PLACE/],
  [{ PROBE_CONCURRENCY: '191' }, /PROBE_CONCURRENCY is '191'; it must be a whole number from 0 to 190/],
  [{ FEED_CONCURRENCY: '150', PROBE_CONCURRENCY: '50' }, /are 200 together; .* must be at most 190/],
];
for (const [setting, given] of wrong) {
  test(`${JSON.stringify(setting)} is refused`, () => assert.throws(() => readConfig(setting), given));
}

test('one error names every wrong setting', () => {
  assert.throws(
    () => readConfig({ HTTP_PORT: 'x', MAX_IN_FLIGHT: 'y', REGISTRATION_URL: 'z' }),
    ({ message }: Error) =>
      ['HTTP_PORT', 'MAX_IN_FLIGHT', 'REGISTRATION_URL'].every((name) => message.includes(name)),
  );
});

test('no password is printed, neither by a config nor by an error about one', () => {
  const config = readConfig({
    DATABASE_URL: 'postgres://ann:CANARY@db/longwave?sslpassword=CANARY&sslmode=require',
    TRUSTED_PROXIES: '10.0.0.0/8',
  });
  const shown = new Map(maskedConfig(config));
  assert.equal(shown.size, Object.keys(SETTINGS).length);
  assert.equal(shown.get('DATABASE_URL'), 'postgres://ann:***@db/longwave?sslpassword=***&sslmode=require');
  assert.equal(shown.get('TRUSTED_PROXIES'), '10.0.0.0/8');
  assert.equal(shown.get('HTTPS_PORT'), '');
  assert.doesNotMatch(JSON.stringify([...shown]), /CANARY/);
  assert.throws(
    () => readConfig({ DATABASE_URL: 'db:CANARY@x' }),
    ({ message }: Error) => !message.includes('CANARY'),
  );
});

test('docs/configuration.md is what the settings say', () => {
  const file = join(import.meta.dirname, '../../../docs/configuration.md');
  assert.equal(readFileSync(file, 'utf8'), configurationPage(), 'run "npm run docs" and commit the page');
});
