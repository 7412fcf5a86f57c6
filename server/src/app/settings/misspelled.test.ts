import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runLongwave } from '../../../test/processes/run-longwave.ts';
import { listMisspelled } from '../config.ts';

const meant = (name: string): string | undefined => listMisspelled({ [name]: 'x' })[0]?.meant;

test('a variable that is like a setting and is none is taken for a slip', () => {
  assert.equal(meant('PUBLIC_HOST'), 'PUBLIC_HOSTS');
  assert.equal(meant('HTTP_PROT'), 'HTTP_PORT');
  assert.equal(meant('DATABASE_URI'), 'DATABASE_URL');
  assert.equal(meant('MEMBERKEY'), 'MEMBER_KEY');
  assert.equal(meant('dns_upstream'), 'DNS_UPSTREAM');
  assert.equal(meant('LONGWAVE_HTTP_PORT'), 'HTTP_PORT');
});

test('variables of other programs and former names are left alone', () => {
  const others = [
    'SMTP_HOST',
    'SMTP_PORT',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'http_proxy',
    'NO_PROXY',
    'HOME',
    'SITES',
    'PATH',
  ];
  const more = [
    'DATABASE_USER',
    'DATABASE_PASSWORD',
    'DATABASE_HOST',
    'REDIS_HOST',
    'MAIL',
    'MAILTO',
    'LOGNAME',
    'DNS',
  ];
  const known = ['HTTP_PORT', 'FEEDS_AT_ONCE', 'LONGWAVE_TEST_LOGS', 'NODE_OPTIONS', 'npm_lifecycle_event'];
  for (const name of [...others, ...more, ...known]) assert.equal(meant(name), undefined, name);
});

test('a command says so and goes on', () => {
  const { status, stdout, stderr } = runLongwave(['config'], { HTTP_PROT: '80' });
  assert.equal(status, 0);
  assert.match(stdout, /^HTTP_PORT +8700$/m);
  assert.match(
    stderr,
    /^longwave: warning: HTTP_PROT is not a setting and has no effect; HTTP_PORT is one$/m,
  );
});
