import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Certificate, makeAuthority } from '../../../test/servers/certificates.ts';
import { readSettings } from '../../app/config.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Finding } from './check.ts';
import { linesOfCertificate } from './settings-check.ts';

const folder = mkdtempSync(join(tmpdir(), 'longwave-doctor-'));
after(() => rmSync(folder, { recursive: true }));
const authority = makeAuthority();

function look({ cert, key }: Certificate, settings: Record<string, string> = {}): Finding[] {
  const files = { TLS_CERT_FILE: join(folder, 'cert.pem'), TLS_KEY_FILE: join(folder, 'key.pem') };
  writeFileSync(files.TLS_CERT_FILE, cert);
  writeFileSync(files.TLS_KEY_FILE, key);
  return linesOfCertificate(readSettings({ HTTPS_PORT: '8743', ...files, ...settings }).config, systemClock);
}

test('a certificate is told by how long it lasts', () => {
  const [long] = look(authority.issue('DNS:radio.example', 60));
  assert.equal(long?.state, 'well');
  assert.match(long?.text ?? '', /^valid for (?:59|60) days, until \d{4}-\d\d-\d\d$/);
  assert.equal(look(authority.issue('DNS:radio.example', 5))[0]?.state, 'warning');
});

test('an expired one is broken, and says since when', () => {
  const [expired] = look(authority.issue('DNS:radio.example', -1));
  assert.equal(expired?.state, 'broken');
  assert.match(expired?.text ?? '', /^expired 24 hours ago, on /);
  assert.match(expired?.mend ?? '', /^renew it/);
});

test('a key of another certificate, and a file that is not there, are broken', () => {
  const { cert } = authority.issue('DNS:radio.example');
  const [pair] = look({ cert, key: authority.issue('DNS:radio.example').key });
  assert.equal(pair?.state, 'broken');
  assert.match(pair?.text ?? '', /cannot be used/);
  const [missing] = look({ cert, key: '' }, { TLS_CERT_FILE: '/no/such/file' });
  assert.match(missing?.text ?? '', /ENOENT/);
});

test('a public host that it does not name is a warning', () => {
  const certificate = authority.issue('DNS:radio.example,IP:127.0.0.1', 60);
  const lines = look(certificate, {
    PUBLIC_HOSTS: 'radio.example:8743,127.0.0.1,tuner.example',
    SITE_HOST: 'site.example',
  });
  assert.deepEqual(
    lines.map(({ state }) => state),
    ['well', 'warning'],
  );
  assert.equal(lines[1]?.text, 'the certificate does not name tuner.example, site.example');
});

test('none at all is a choice', () => {
  const { config } = readSettings({});
  assert.equal(linesOfCertificate(config, systemClock)[0]?.state, 'note');
});
