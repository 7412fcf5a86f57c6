import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type Socket, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before, test } from 'node:test';
import { connect as connectSecurely } from 'node:tls';
import { type TestServer, startServer } from '../../../../test/apps/http-server.ts';
import { writeCertificate } from '../../../../test/servers/certificates.ts';
import { withDeadline } from '../../../lib/deadlines/deadline.ts';
import { answerClientErrors } from './client-errors.ts';

const LIMITS = { headersTimeout: 500, requestTimeout: 700, connectionsCheckingInterval: 100 };
/** On a busy machine; by itself Node waits for two minutes. */
const IN_TIME_MS = 20_000;

const folder = mkdtempSync(join(tmpdir(), 'longwave-client-errors-'));
let server: TestServer;
let httpsPort: number;
before(async () => {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = writeCertificate(folder);
  server = await startServer([], {}, { https: { port: 0, certFile, keyFile }, socketLimits: LIMITS });
  httpsPort = server.listeners.httpsPort ?? assert.fail('no HTTPS port');
});
after(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function closed(socket: Socket): Promise<unknown> {
  const isClosed = Promise.withResolvers<void>();
  socket.on('close', () => isClosed.resolve());
  socket.on('error', () => undefined).resume();
  return withDeadline(isClosed.promise, IN_TIME_MS, () => new Error('it is still open'));
}

const SILENT: [what: string, bytes: Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['half a hello', Buffer.from([0x16, 3, 1, 2, 0, 1])],
  ['plain HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: radio.test\r\n\r\n')],
  ['anything at all', Buffer.alloc(300, 65)],
];
for (const [what, bytes] of SILENT)
  test(`who sends ${what} instead of a handshake is hung up on`, async () => {
    const sockets = Array.from({ length: 120 }, () => connect(httpsPort, '127.0.0.1'));
    for (const socket of sockets) if (bytes.length > 0) socket.write(bytes);
    await Promise.all(sockets.map(closed));
  });

test('nothing is written to a connection whose handshake has not ended: that would wait for it', () => {
  const unopened = createServer();
  answerClientErrors(unopened);
  const socket = Object.assign(new PassThrough(), { secureConnecting: true });
  unopened.emit('clientError', new Error('no handshake'), socket);
  assert.deepEqual([socket.destroyed, socket.read()], [true, null]);
});

test('who speaks TLS but no HTTP is told so', async () => {
  const socket = connectSecurely({ port: httpsPort, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  socket.write('no HTTP at all\r\n\r\n');
  const [said]: unknown[] = await once(socket, 'data', { signal: AbortSignal.timeout(IN_TIME_MS) });
  assert.match(String(said), /^HTTP\/1\.1 400 /);
  await closed(socket);
});

test('who is told that he is late and goes on sending is cut off', async () => {
  const port = server.listeners.httpPort;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let said = '';
  socket.on('data', (data) => (said += String(data)));
  socket.write('GET / HTTP/1.1\r\nHost: radio.test\r\nX-Slow: ');
  const dripping = setInterval(() => socket.write('a'), 200);
  await closed(socket).finally(() => clearInterval(dripping));
  assert.match(said, /^HTTP\/1\.1 408 /);
});
