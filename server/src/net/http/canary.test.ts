import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify, { type InjectOptions } from 'fastify';
import { startServer, testApp } from '../../../test/apps/http-server.ts';
import { Fault } from '../../lib/fault.ts';
import type { Action, Endpoint } from '../../protocols/radiotime/call/endpoint.ts';

const PASSWORD = 'CanaryPass1';
const SERIAL = 'CANARY-00:11:22:33';
const EMAIL = 'canary.listener@canary.example';
const SECRETS = [
  PASSWORD,
  SERIAL,
  encodeURIComponent(SERIAL),
  EMAIL,
  encodeURIComponent(EMAIL),
  'canary.listener',
];
const query = new URLSearchParams({ password: PASSWORD, serial: SERIAL, email: EMAIL }).toString();

/** Errors as drivers and careless code make them: quoting the address, the row, the bare value. */
const fails =
  (message: (secrets: Record<string, string>) => string): Action =>
  ({ params }) => {
    const secrets = { password: params.text('password') ?? '', serial: params.text('serial') ?? '' };
    throw Object.assign(new Error(message(secrets)), { detail: secrets, parameters: Object.values(secrets) });
  };

const pages: Endpoint = {
  paths: ['/Account.ashx'],
  actions: new Map<string, Action>([
    ['', () => ({ title: 'ok', outlines: [] })],
    ['url', fails(() => `failed: GET /Account.ashx?${query}`)],
    ['row', fails(({ serial }) => `Key (serial)=(${serial}) already exists`)],
    ['bare', fails(({ serial, password }) => `no device ${serial}, tried ${password}`)],
    ['json', fails((secrets) => `bad body ${JSON.stringify(secrets)}`)],
    ['mail', fails(() => `mail to ${EMAIL} bounced`)],
    ['async', async ({ params }) => Promise.reject(new Error(`no ${params.text('serial')}`))],
    [
      'cause',
      ({ params }) => Promise.reject(new Error('outer', { cause: new Error(`no ${params.text('serial')}`) })),
    ],
    ['fault', () => Promise.reject(new Fault(401, undefined, 'The password is wrong'))],
  ]),
};

const actions = [...pages.actions.keys()];
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const requests: InjectOptions[] = [
  ...actions.map((c) => ({ url: `/Account.ashx?c=${c}&${query}` })),
  ...actions.map((c) => ({
    method: 'POST' as const,
    url: `/Account.ashx?c=${c}&render=json`,
    headers: form,
    payload: query,
  })),
  { url: `/Nothing.ashx?${query}` },
  { url: `/nothing/${PASSWORD}?${query}` },
  { url: `/%zz${PASSWORD}?${query}` },
  { url: `/Account.ashx?${query}&password=other` },
  { url: `/Account.ashx?${query}&id=%00` },
  { url: `/Account.ashx?${query}&callback=${PASSWORD}!&render=json` },
  { url: `/Account.ashx?c=${PASSWORD}` },
  { url: `/Account.ashx?${query}&latlon=${PASSWORD}` },
  {
    method: 'POST',
    url: `/Account.ashx`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ password: PASSWORD }),
  },
  { method: 'POST', url: `/Account.ashx`, headers: { 'content-type': PASSWORD }, payload: query },
  { method: 'PUT', url: `/Account.ashx?${query}` },
  {
    url: '/Account.ashx',
    headers: {
      authorization: `Basic ${PASSWORD}`,
      cookie: `serial=${SERIAL}`,
      referer: `http://x/?${query}`,
      host: EMAIL,
      'x-forwarded-for': PASSWORD,
      'user-agent': PASSWORD,
      'accept-language': PASSWORD,
    },
  },
];

const hits = (text: string): string[] => SECRETS.filter((secret) => text.includes(secret));

test('no secret of a request is in any log line or answer', async () => {
  const { app, logLines, options } = testApp([pages]);
  for (const request of requests) {
    const { body, headers } = await app.inject(request);
    assert.deepEqual(hits(body + JSON.stringify(headers)), [], JSON.stringify(request));
  }
  assert.ok(logLines.length >= requests.length, 'the log was on');
  assert.ok(
    logLines.some((line) => line.includes('"level":"error"')),
    'errors were logged',
  );
  for (const line of logLines) assert.deepEqual(hits(line), []);
  assert.deepEqual(hits(await options.metrics.registry.metrics()), []);
});

test('nor of one on a real socket', async () => {
  await using server = await startServer([pages]);
  for (const c of actions) {
    const reply = await fetch(`${server.origin}/Account.ashx?c=${c}&${query}`);
    assert.deepEqual(hits(await reply.text()), []);
  }
  assert.deepEqual(hits(server.logLines.join('')), []);
});

test('the canary sings: a logger left at its defaults, and the usual 404, show the secrets', async () => {
  const lines: string[] = [];
  const careless = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } });
  careless.get('/Account.ashx', () => ({ ok: true }));
  await careless.inject(`/Account.ashx?${query}`);
  const { body } = await careless.inject(`/Nothing.ashx?${query}`);
  assert.ok(hits(lines.join('')).length > 0);
  assert.ok(hits(body).length > 0);
});
