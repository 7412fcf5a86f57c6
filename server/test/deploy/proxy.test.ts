import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { makeAuthority } from '../servers/certificates.ts';
import { seededDatabase, type TestDatabase } from '../database/database.ts';
import { withoutDebian } from '../servers/haproxy.ts';
import { closedPort } from '../servers/port-of.ts';
import { type ServiceProcess, startService } from '../processes/service-process.ts';

const examples = join(import.meta.dirname, '../../../deploy/proxy');
const authority = makeAuthority();
const folder = mkdtempSync(join(tmpdir(), 'longwave-proxy-'));
const running: ChildProcess[] = [];
/** Another than the proxy's own, which Longwave trusts. */
const CALLER = '127.9.8.7';
const PATIENCE_MS = 60_000;

let database: TestDatabase;
let service: ServiceProcess;

before(async () => {
  const { cert, key } = authority.issue('DNS:radio.example');
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'key.pem'), key);
  database = await seededDatabase();
  service = await startService(database.url, {
    TRUSTED_PROXIES: '127.0.0.1',
    PUBLIC_HOSTS: 'radio.example',
    PARTNERS: 'any',
    LOG_LEVEL: 'debug',
  });
});

after(async () => {
  for (const proxy of running) {
    proxy.kill('SIGTERM');
    if (proxy.exitCode === null && proxy.signalCode === null) await once(proxy, 'exit');
  }
  await service[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

interface Ports {
  http: number;
  https: number;
}

/** The example as it is, but for ports that need no root and for a certificate that is there. */
function adapt(name: string, ports: Ports, changes: readonly [from: string, to: string][]): string {
  let text = readFileSync(join(examples, name), 'utf8');
  for (const [from, to] of [['127.0.0.1:8700', new URL(service.origin).host] as const, ...changes]) {
    assert.ok(text.includes(from), `${name} has ${from}`);
    text = text.replaceAll(from, to);
  }
  return text.replaceAll('@HTTP@', `${ports.http}`).replaceAll('@HTTPS@', `${ports.https}`);
}

const PROXIES: Record<string, (ports: Ports) => string[]> = {
  caddy(ports) {
    const tls = `tls ${folder}/cert.pem ${folder}/key.pem`;
    const file = join(folder, 'Caddyfile');
    const text = adapt('Caddyfile', ports, [
      ['\tauto_https', '\tadmin off\n\tauto_https'],
      [':80 {', ':@HTTP@ {'],
      ['radio.example {', `https://radio.example:@HTTPS@ {\n\t${tls}`],
    ]);
    writeFileSync(file, text);
    return ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'];
  },
  nginx(ports) {
    const own = join(folder, 'nginx');
    mkdirSync(own, { recursive: true });
    const example = adapt('nginx.conf', ports, [
      ['listen 80', 'listen 127.0.0.1:@HTTP@'],
      ['listen 443', 'listen 127.0.0.1:@HTTPS@'],
      ['/etc/letsencrypt/live/radio.example/fullchain.pem', `${folder}/cert.pem`],
      ['/etc/letsencrypt/live/radio.example/privkey.pem', `${folder}/key.pem`],
    ]);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (path) => `${path}_temp_path ${own};`,
    );
    const user = process.getuid?.() === 0 ? 'user root;' : '';
    writeFileSync(
      join(own, 'nginx.conf'),
      `${user} daemon off; pid ${own}/pid; error_log stderr; events {} http { access_log off; ${paths.join(' ')}\n${example}\n}`,
    );
    return ['nginx', '-e', 'stderr', '-c', join(own, 'nginx.conf')];
  },
  haproxy(ports) {
    const { cert, key } = authority.issue('DNS:radio.example');
    writeFileSync(join(folder, 'both.pem'), cert + key);
    const file = join(folder, 'haproxy.cfg');
    const text = adapt('haproxy.cfg', ports, [
      ['maxconn 50000', 'maxconn 1000'],
      ['bind :80', 'bind 127.0.0.1:@HTTP@'],
      ['bind :443', 'bind 127.0.0.1:@HTTPS@'],
      ['/etc/haproxy/radio.example.pem', `${folder}/both.pem`],
    ]);
    writeFileSync(file, withoutDebian(text));
    return ['/usr/sbin/haproxy', '-db', '-f', file];
  },
};

async function startProxy(name: string): Promise<Ports> {
  const ports = { http: await closedPort(), https: await closedPort() };
  const [program = '', ...args] = PROXIES[name]?.(ports) ?? [];
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const proxy = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  running.push(proxy);
  let complaints = '';
  proxy.stderr.on('data', (chunk) => (complaints = `${complaints}${chunk}`.slice(-4000)));
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(100)) {
    if (await listens(ports.https)) return ports;
    if (proxy.exitCode !== null || Date.now() > deadline) assert.fail(`${name} did not start: ${complaints}`);
  }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

interface Answer {
  status: number | undefined;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** Asks with headers of the caller's own making, and reads to the end, or until `enough` is there. */
function ask(url: string, headers: Record<string, string>, enough?: RegExp): Promise<Answer> {
  const options = {
    headers,
    localAddress: CALLER,
    ca: authority.ca,
    servername: 'radio.example',
    agent: false,
    timeout: PATIENCE_MS,
  };
  return new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? https : http).get(url, options, (response) => {
      let body = '';
      const answer = (): void => resolve({ status: response.statusCode, headers: response.headers, body });
      response.setEncoding('utf8').on('end', answer).on('error', reject);
      response.on('data', (text: string) => {
        body += text;
        if (!enough?.test(body)) return;
        answer();
        request.destroy();
      });
    });
    request.on('error', reject).on('timeout', () => request.destroy(new Error(`${url} did not answer`)));
  });
}

/** The line that the server logged of a call. */
async function logged(mark: string): Promise<string> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(50)) {
    const line = service.log.find((each) => each.includes(mark) && each.includes('"ip24"'));
    if (line !== undefined) return line;
  }
  return assert.fail(`no call with ${mark} was logged`);
}

for (const name of Object.keys(PROXIES)) {
  test(`${name}: a radio gets its menu over HTTP, the site is there over HTTPS, and callers are who they are`, async () => {
    const ports = await startProxy(name);
    const plain = `http://127.0.0.1:${ports.http}`;
    const secure = `https://127.0.0.1:${ports.https}`;

    const forged = { 'x-forwarded-for': '192.0.2.66', 'x-forwarded-proto': 'https' };
    const menu = await ask(`${plain}/Browse.ashx?partnerId=${name}radio`, {
      host: 'opml.radiotime.com',
      ...forged,
    });
    assert.equal(menu.status, 200);
    assert.equal(menu.headers.location, undefined);
    assert.match(
      menu.body,
      /<status>200<\/status>[^]*URL="http:\/\/radio\.example\//,
      'links that a radio can follow',
    );
    assert.match(await logged(`${name}radio`), /"ip24":"127\.9\.8\.0"/);

    const site = await ask(`${secure}/listen/`, { host: 'radio.example' });
    assert.equal(site.status, 200);
    assert.match(site.body, /<!doctype html>/i);
    const json = await ask(`${secure}/Browse.ashx?render=json`, { host: 'radio.example' });
    assert.match(json.body, /"https:\/\/radio\.example\//, 'links of an HTTPS call are HTTPS');

    const events = await ask(
      `${secure}/listen/api/playing?ids=s1`,
      { host: 'radio.example' },
      /event: playing/,
    );
    assert.equal(events.headers['content-type'], 'text/event-stream');
  });

  test(`${name}: a radio of HTTP/1.0 that names no host is answered`, async () => {
    const { http: port } = await startProxy(name);
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    socket.write('GET /Browse.ashx HTTP/1.0\r\n\r\n');
    let answer = '';
    for await (const text of socket) answer += text;
    assert.match(answer, /^HTTP\/1\.[01] 200 [^]*<status>200<\/status>/);
  });
}

test('haproxy: as the file of the whole machine it runs as a user who reaches nothing, and is accepted as it is', () => {
  const text = readFileSync(join(examples, 'haproxy.cfg'), 'utf8');
  const global = /^global\n(?:^ .*\n)+/m.exec(text)?.[0] ?? '';
  for (const line of [
    'user haproxy',
    'group haproxy',
    'chroot /var/lib/haproxy',
    'stats socket /run/haproxy/admin.sock mode 660 level admin',
    'log /dev/log local0',
  ])
    assert.ok(global.includes(`    ${line}\n`), line);
  const { cert, key } = authority.issue('DNS:radio.example');
  writeFileSync(join(folder, 'whole.pem'), cert + key);
  const file = join(folder, 'whole.cfg');
  writeFileSync(file, text.replace('/etc/haproxy/radio.example.pem', join(folder, 'whole.pem')));
  const { status, stdout, stderr } = spawnSync('/usr/sbin/haproxy', ['-c', '-f', file], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.doesNotMatch(stdout + stderr, /WARNING|ALERT/);
});

test('traefik: radios have a router of their own, which nothing redirects', () => {
  const { http: config } = parse(readFileSync(join(examples, 'traefik.yaml'), 'utf8'));
  const { radios, site } = config.routers;
  assert.deepEqual(radios.entryPoints, ['web']);
  assert.equal(radios.rule, 'PathPrefix(`/`)');
  assert.equal(radios.tls, undefined);
  assert.deepEqual(site.entryPoints, ['websecure']);
  assert.ok(site.tls.certResolver);
  for (const router of [radios, site]) {
    assert.equal(router.middlewares, undefined);
    const { loadBalancer } = config.services[router.service];
    assert.equal(loadBalancer.passHostHeader, true);
    assert.deepEqual(loadBalancer.servers, [{ url: 'http://127.0.0.1:8700' }]);
  }
  assert.equal(config.middlewares, undefined);
});
