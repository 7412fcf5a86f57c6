import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type Server, createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type Certificate, makeAuthority, makeSelfSigned } from '../../../test/servers/certificates.ts';
import { SafeFetcher } from './fetch-safely.ts';

const HOST = 'radio.example.net';
const authority = makeAuthority();
const policyWith = (ca: string | undefined) => ({
  resolve: async () => ['127.0.0.2'],
  isAllowed: (ip: string) => ip === '127.0.0.2',
  connectMs: 30_000,
  ca,
});
const trusting = new SafeFetcher({ policy: policyWith(authority.ca) });

// oxlint-disable-next-line no-unsafe-type-assertion -- a server on a port has such an address
const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

/** What each server was asked, and for which name. */
let asked: { name: string; url: string | undefined }[] = [];

async function serve(t: TestContext, certificate: Certificate): Promise<number> {
  asked = [];
  const server: Server = createServer(certificate, ({ socket, url }, response) => {
    const name = 'servername' in socket ? String(socket.servername) : '';
    asked.push({ name, url });
    response.end('over TLS');
  });
  server.listen(0, '127.0.0.2');
  await once(server, 'listening');
  t.after(() => server.close());
  return portOf(server);
}

test('a server with a certificate of an authority is asked, by its name', async (t) => {
  const port = await serve(t, authority.issue(`DNS:${HOST}`));
  const { body } = await trusting.fetch(`https://${HOST}:${port}/feed`);
  assert.equal(body.toString(), 'over TLS');
  assert.deepEqual(asked, [{ name: HOST, url: '/feed' }]);
});

test('a literal address needs a certificate for that address', async (t) => {
  const right = await serve(t, authority.issue('IP:127.0.0.2'));
  assert.equal((await trusting.fetch(`https://127.0.0.2:${right}/`)).status, 200);
  const wrong = await serve(t, authority.issue('DNS:localhost'));
  await assert.rejects(trusting.fetch(`https://127.0.0.2:${wrong}/`), {
    name: 'FetchFailed',
    step: 'secure',
  });
  assert.deepEqual(asked, []);
});

const REFUSED: Record<string, { certificate: () => Certificate; code: string }> = {
  'for another name': {
    certificate: () => authority.issue('DNS:other.example.net'),
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  },
  'that has ended': { certificate: () => authority.issue(`DNS:${HOST}`, -1), code: 'CERT_HAS_EXPIRED' },
  'of its own': { certificate: () => makeSelfSigned(`DNS:${HOST}`), code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  'of an unknown authority': {
    certificate: () => makeAuthority().issue(`DNS:${HOST}`),
    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  },
};
for (const [which, { certificate, code }] of Object.entries(REFUSED)) {
  test(`a server with a certificate ${which} is told nothing`, async (t) => {
    const port = await serve(t, certificate());
    await assert.rejects(trusting.fetch(`https://${HOST}:${port}/`), (error: Error) => {
      assert.deepEqual([error.name, 'step' in error && error.step], ['FetchFailed', 'secure']);
      assert.match(error.message, new RegExp(code));
      return true;
    });
    assert.deepEqual(asked, []);
  });
}

test('our own authority is one beside the usual ones, and known to nobody else', async (t) => {
  const port = await serve(t, authority.issue(`DNS:${HOST}`));
  const usual = new SafeFetcher({ policy: policyWith(undefined) });
  await assert.rejects(usual.fetch(`https://${HOST}:${port}/`), { step: 'secure', isLate: false });
});

test('who connects and then never agrees on TLS is left in its own time', async (t) => {
  const silent = createTcpServer((socket) => socket.on('error', () => undefined));
  silent.listen(0, '127.0.0.2');
  await once(silent, 'listening');
  t.after(() => silent.close());
  const hasty = new SafeFetcher({ policy: { ...policyWith(undefined), connectMs: 100 } });
  await assert.rejects(hasty.fetch(`https://${HOST}:${portOf(silent)}/`), { step: 'secure', isLate: true });
});
