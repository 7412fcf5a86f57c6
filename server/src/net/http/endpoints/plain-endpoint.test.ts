import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer, testApp } from '../../../../test/apps/http-server.ts';
import { Fault, Refusal } from '../../../lib/fault.ts';
import { unavailable } from '../../../storage/cache/away.ts';
import type { PlainCall, PlainEndpoint } from './plain-endpoint.ts';

const at = (answer: PlainEndpoint['answer']): PlainEndpoint => ({ path: '/plain/:name', answer });

const echo = at(async ({ method, path, query, body }) => {
  let length = 0;
  for await (const chunk of body()) length += chunk.length;
  return { status: 200, text: `${method} ${path['name']} ${query.get('q')} ${length}` };
});

test('a call is given its method, the names in its path, its query and its body of any type', async () => {
  await using server = await startServer([], { plainEndpoints: [echo] });
  const ask = async (init: RequestInit): Promise<string> =>
    (await fetch(`${server.origin}/plain/Town?q=a%20b`, init)).text();
  assert.equal(await ask({}), 'GET Town a b 0');
  assert.equal(await ask({ method: 'POST', body: 'x'.repeat(100_000) }), 'POST Town a b 100000');
  assert.equal(await ask({ method: 'POST', body: Buffer.from('{') }), 'POST Town a b 1');
  const form = new URLSearchParams({ q: 'other' });
  assert.equal(await ask({ method: 'POST', body: form }), 'POST Town a b 7');
  assert.equal((await fetch(`${server.origin}/plain/Town`, { method: 'DELETE' })).status, 404);
});

const title = async () => ({ bytes: Buffer.from('menu'), contentType: 'text/plain' });

test('forms of the radios are read as before beside it', async () => {
  const endpoint = { paths: ['/Menu.ashx'] as const, actions: new Map([['a', title]]) };
  const { app } = testApp([endpoint], { plainEndpoints: [echo] });
  const answer = await app.inject({
    method: 'POST',
    url: '/Menu.ashx',
    payload: 'c=a',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(answer.body, 'menu');
});

const failing: [what: string, error: Error, status: number, text: RegExp, retryAfter?: string][] = [
  ['a fault', new Fault(404, undefined, 'No such thing'), 404, /^No such thing\n$/],
  ['a refusal', new Refusal(429, 'x', 'Too many', 7), 429, /^Too many\n$/, '7'],
  ['a database that is away', unavailable(), 503, /^The database is not responding/, '5'],
  ['the unforeseen', new Error('secret detail'), 500, /^Internal error; .* log as /],
];
for (const [what, error, status, text, retryAfter] of failing) {
  test(`${what} is told by the status, in plain words`, async () => {
    const { app, logLines } = testApp([], { plainEndpoints: [at(() => Promise.reject(error))] });
    const answer = await app.inject('/plain/x');
    assert.equal(answer.statusCode, status);
    assert.match(answer.body, text);
    assert.equal(answer.headers['retry-after'], retryAfter);
    assert.equal(logLines.filter((line) => line.includes('secret detail')).length, status === 500 ? 1 : 0);
  });
}

test('who asks too often is turned away before anything is looked at', async () => {
  let answered = 0;
  const { app } = testApp([], {
    plainEndpoints: [
      at(async () => {
        answered += 1;
        return { status: 200, text: '' };
      }),
    ],
    rateLimit: () => {
      throw new Refusal(429, 'request.tooMany', 'Too many calls', 3);
    },
  });
  const answer = await app.inject({ method: 'POST', url: '/plain/x', payload: 'x' });
  assert.deepEqual([answer.statusCode, answer.headers['retry-after'], answered], [429, '3', 0]);
});

test('of a hundred at once the next is told to come back, and the radios are not', async () => {
  const waiting: (() => void)[] = [];
  const hang = (_call: PlainCall) =>
    new Promise<{ status: number; text: string }>((resolve) => {
      waiting.push(() => resolve({ status: 200, text: 'late' }));
    });
  const menu = { paths: ['/Menu.ashx'] as const, actions: new Map([['', () => ({ outlines: [] })]]) };
  const { app } = testApp([menu], { plainEndpoints: [at(hang)], maxInFlight: 1 });
  await app.ready();
  const hanging = Array.from({ length: 100 }, () => app.inject('/plain/x'));
  while (waiting.length < 100) await new Promise((done) => setImmediate(done));
  assert.equal((await app.inject('/plain/x')).statusCode, 503);
  assert.equal((await app.inject('/Menu.ashx')).statusCode, 200);
  for (const go of waiting) go();
  for (const { statusCode } of await Promise.all(hanging)) assert.equal(statusCode, 200);
  const again = app.inject('/plain/x');
  while (waiting.length < 101) await new Promise((done) => setImmediate(done));
  waiting[100]?.();
  assert.equal((await again).statusCode, 200);
});
