import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendBody, statusOf } from '../../../../test/apps/sent-body.ts';
import { startServer } from '../../../../test/apps/http-server.ts';
import { waitUntil } from '../../../../test/time/wait-until.ts';
import type { SiteEndpoint } from './site-endpoint.ts';

const PLACES = 200;
/** An eighth of them. */
const OF_ADDRESS = 25;
const HEADERS = 'Origin: http://radio.test\r\nX-Longwave: 1\r\nContent-Type: application/json\r\n';

const siteEndpoints: readonly SiteEndpoint[] = [
  { method: 'POST', path: '/listen/api/echo', answer: ({ body }) => ({ json: body }) },
  { method: 'GET', path: '/listen/api/echo', answer: () => ({ json: [] }) },
];

test('bodies on their way to the site take places, and no address more than its share of them', async (t) => {
  await using server = await startServer([], { siteEndpoints });
  const send = (house: number, sent: string) =>
    sendBody(t, server.listeners.httpPort, {
      from: `127.0.7.${house}`,
      path: '/listen/api/echo',
      headers: HEADERS,
      length: 2,
      sent,
    });
  const call = (house: number): Promise<number> => statusOf(send(house, '{}'));
  const isRefused = async (house: number) => (await call(house)) === 503 || undefined;
  assert.equal(await call(1), 200);
  for (let body = 0; body < OF_ADDRESS; body += 1) send(1, '{');
  await waitUntil('one house has its share', () => isRefused(1));
  assert.equal(await call(2), 200, 'the others have theirs');
  for (let body = OF_ADDRESS; body < PLACES; body += 1) send(10 + (body % 50), '{');
  await waitUntil('every place is taken', () => isRefused(2));
  const { status } = await fetch(`${server.origin}/listen/api/echo`);
  assert.equal(status, 200, 'who sends no body is served');
});
