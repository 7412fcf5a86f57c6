import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { createServer } from 'node:tls';
import { type Certificate, makeAuthority, makeSelfSigned } from '../../../test/servers/certificates.ts';
import { mp3Frames } from '../../../test/stations/sounds.ts';
import type { FailureCode } from '../../lib/failure-code.ts';
import { SafeFetcher } from '../fetch/fetch-safely.ts';
import { tuneIn } from './tune-in.ts';
import { readSome } from './tuned-in.ts';

const HOST = 'radio.example.net';
const authority = makeAuthority();
const fetcher = new SafeFetcher({
  policy: {
    resolve: async () => ['127.0.0.2'],
    isAllowed: (ip) => ip === '127.0.0.2',
    connectMs: 2000,
    ca: authority.ca,
  },
});

async function serve(t: TestContext, certificate: Certificate): Promise<string> {
  const server = createServer(certificate, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () =>
      socket.end(Buffer.concat([Buffer.from('HTTP/1.0 200 OK\r\n\r\n'), mp3Frames(20)])),
    );
  });
  server.on('tlsClientError', () => undefined).listen(0, '127.0.0.2');
  await once(server, 'listening');
  t.after(() => server.close());
  // oxlint-disable-next-line no-unsafe-type-assertion -- a server on a port has such an address
  return `https://${HOST}:${(server.address() as AddressInfo).port}/live`;
}

test('a stream over TLS is heard', async (t) => {
  using tuned = await tuneIn(fetcher, await serve(t, authority.issue(`DNS:${HOST}`)));
  assert.equal(tuned.isSecure, true);
  assert.equal(tuned.steps[0]?.detail, 'connected, with TLS');
  const { audio, ended } = await readSome(tuned, 100_000, 2000);
  assert.deepEqual([audio, ended], [mp3Frames(20), 'end']);
});

const CERTIFICATES: [name: string, make: () => Certificate, code: FailureCode, why: RegExp][] = [
  [
    'that has expired',
    () => authority.issue(`DNS:${HOST}`, -1),
    'tls_expired',
    /has expired \(CERT_HAS_EXPIRED\)/,
  ],
  ['for another name', () => authority.issue('DNS:other.example.net'), 'tls_other_name', /for another name/],
  ['that it signed itself', () => makeSelfSigned(`DNS:${HOST}`), 'tls_untrusted', /self-signed/],
  ['of nobody known', () => makeAuthority().issue(`DNS:${HOST}`), 'tls_untrusted', /certificate/],
];
for (const [name, make, code, why] of CERTIFICATES) {
  test(`a certificate ${name} is said to be the fault`, async (t) => {
    await assert.rejects(tuneIn(fetcher, await serve(t, make())), {
      name: 'TuneInFailed',
      verdict: 'tls',
      code,
      isOurs: false,
      message: why,
    });
  });
}
