import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '../../../test/apps/http-server.ts';
import type { Endpoint } from '../../protocols/radiotime/call/endpoint.ts';

const index: Endpoint = {
  paths: ['/Browse.ashx', '/'],
  actions: new Map([['', () => ({ title: 'Index', outlines: [] })]]),
};

const asked = async (origin: string, path: string, headers: Record<string, string>): Promise<string> => {
  const response = await fetch(origin + path, { headers, redirect: 'manual' });
  return `${response.status} ${response.headers.get('location') ?? (await response.text()).slice(0, 5)}`;
};

test('a browser that opens the root is sent to the site; radios and scripts get the index', async () => {
  await using server = await startServer([index], { sitePath: '/listen/' });
  const ask = (path: string, headers: Record<string, string> = {}): Promise<string> =>
    asked(server.origin, path, headers);
  assert.equal(await ask('/', { 'upgrade-insecure-requests': '1' }), '302 /listen/');
  // A fetch of our own cannot name Sec-Fetch headers; one that is given as it is can.
  const { sendRaw } = await import('../../../test/apps/http-server.ts');
  const port = Number(new URL(server.origin).port);
  const raw = (dest: string): Promise<string> =>
    sendRaw(port, `GET / HTTP/1.1\r\nHost: x\r\nSec-Fetch-Dest: ${dest}\r\nConnection: close\r\n\r\n`);
  assert.match(await raw('document'), /^HTTP\/1\.1 302 [^]*location: \/listen\//i);
  assert.match(await raw('empty'), /^HTTP\/1\.1 200 /);
  assert.equal(await ask('/'), '200 <?xml');
  assert.equal(await ask('/', { accept: 'text/html' }), '200 <?xml', 'what is accepted is no guide');
  assert.equal(await ask('/Browse.ashx', { 'upgrade-insecure-requests': '1' }), '200 <?xml');
});

test('without a site the root is the index for everybody', async () => {
  await using server = await startServer([index]);
  assert.equal(await asked(server.origin, '/', { 'upgrade-insecure-requests': '1' }), '200 <?xml');
});
