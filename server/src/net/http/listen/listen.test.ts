import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type TLSSocket, connect } from 'node:tls';
import { waitUntil } from '../../../../test/time/wait-until.ts';
import { type TestServer, startServer } from '../../../../test/apps/http-server.ts';
import { closedPort, portOf } from '../../../../test/servers/port-of.ts';
import type { Endpoint } from '../../../protocols/radiotime/call/endpoint.ts';

const folder = mkdtempSync(join(tmpdir(), 'longwave-tls-'));
const certFile = join(folder, 'cert.pem');
const keyFile = join(folder, 'key.pem');

function makeCertificate(name: string): void {
  const to = [
    '-keyout',
    keyFile,
    '-out',
    certFile,
    '-subj',
    `/CN=${name}`,
    '-addext',
    `subjectAltName=DNS:${name}`,
  ];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', ...to],
    { stdio: 'ignore' },
  );
}

const pages: Endpoint = {
  paths: ['/Browse.ashx'],
  actions: new Map([['', ({ caller }) => ({ title: caller.links.origin, outlines: [] })]]),
};

let server: TestServer;
before(async () => {
  makeCertificate('one.test');
  server = await startServer(
    [pages],
    { publicHosts: ['one.test'] },
    { https: { port: 0, certFile, keyFile } },
  );
});
after(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const httpsPort = (): number => server.listeners.httpsPort ?? assert.fail('no HTTPS port');
const agent = new Agent({ rejectUnauthorized: false });

function getSecurely(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ port: httpsPort(), path, agent, headers: { host: 'one.test' } }, (response) => {
      let body = '';
      response
        .setEncoding('utf8')
        .on('data', (data) => (body += data))
        .on('end', () => resolve(body));
    }).on('error', reject);
  });
}

function servedName(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ port: httpsPort(), rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    }).on('error', reject);
  });
}

test('HTTP and HTTPS answer the same, links keep the scheme, and HTTP does not redirect', async () => {
  const plain = await fetch(`${server.origin}/Browse.ashx`, { redirect: 'error' });
  assert.match(await plain.text(), /<title>http:\/\/one\.test<\/title>/);
  assert.match(await getSecurely('/Browse.ashx'), /<title>https:\/\/one\.test<\/title>/);
});

test('a renewed certificate is used without a restart; a broken one is not', async () => {
  assert.equal(await servedName(), 'one.test');
  makeCertificate('two.test');
  server.listeners.reloadCertificate();
  assert.equal(await servedName(), 'two.test');
  copyFileSync(certFile, join(folder, 'good.pem'));
  writeFileSync(certFile, 'not a certificate');
  server.listeners.reloadCertificate();
  assert.equal(await servedName(), 'two.test');
  assert.match(server.logLines.join(''), /the old one stays in use/);
  copyFileSync(join(folder, 'good.pem'), certFile);
});

test('health is told on both sides, metrics on the private one only', async () => {
  const inner = `http://127.0.0.1:${server.listeners.privatePort}`;
  for (const origin of [server.origin, inner]) {
    assert.equal((await fetch(`${origin}/livez`)).status, 200);
    const ready = await fetch(`${origin}/readyz`);
    assert.equal(ready.status, 200);
    assert.deepEqual(await ready.json(), { state: 'ready' });
  }
  assert.equal((await fetch(`${server.origin}/metrics`)).status, 404);
  const metrics = await fetch(`${inner}/metrics`);
  assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  assert.match(await metrics.text(), /^inflight \d/m);
  // A caller may have read its answer before the server has counted it as done.
  const isIdle = async () => /^inflight 0$/m.test(await (await fetch(`${inner}/metrics`)).text());
  await waitUntil('no call under way', async () => (await isIdle()) || undefined);
  assert.equal((await fetch(`${inner}/Browse.ashx`)).status, 404);
});

test('metrics show numbers that others watch, such as the version of the directory', async () => {
  let version = 7;
  server.options.metrics.gauge('directory_version', 'The version of the directory in memory', () => version);
  version = 8;
  const metrics = await fetch(`http://127.0.0.1:${server.listeners.privatePort}/metrics`);
  const text = await metrics.text();
  assert.match(text, /^# TYPE longwave_directory_version gauge\nlongwave_directory_version 8$/m);
  assert.match(text, /^directory_version 8$/m, 'the name of the release before');
  assert.match(text, /^process_cpu_seconds_total /m);
  assert.doesNotMatch(text, /longwave_(?:process|nodejs)_/);
});

test('a port in use is told, and the ports already open are closed again', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const privatePort = await closedPort();
  await assert.rejects(
    startServer([pages], {}, { httpPort: portOf(taken), privatePort }),
    /cannot listen on 127\.0\.0\.1 port \d+: another process already uses this port.*set another port$/,
  );
  const again = await startServer([pages], {}, { privatePort });
  await again[Symbol.asyncDispose]();
});

test('a certificate that cannot be used is named before anything is opened', async () => {
  const https = { port: 0, certFile: join(folder, 'missing.pem'), keyFile };
  await assert.rejects(
    startServer([pages], {}, { https }),
    /TLS_CERT_FILE .*missing\.pem.* cannot be used: ENOENT/,
  );
});
