import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { closedPort, portOf } from '../../../test/servers/port-of.ts';
import { readConfig } from '../../app/config.ts';
import { listenPrivately } from '../../net/http/listen/listen.ts';
import { Metrics } from '../../net/http/metrics.ts';
import { Readiness } from '../../net/http/readiness.ts';
import { UsageError } from '../command.ts';
import { healthcheckCommand } from './healthcheck.ts';

const check = (kind: string[], settings: Record<string, string>): Promise<void> =>
  healthcheckCommand.run(kind, readConfig(settings));

async function privatePort(t: TestContext, readiness: Readiness, privateHost: string): Promise<string> {
  const listeners = await listenPrivately({ privateHost, privatePort: 0, readiness, metrics: new Metrics() });
  t.after(() => listeners.close(0));
  return `${listeners.privatePort}`;
}

test('the server is ready when it says so, and not before or after', async (t) => {
  const readiness = new Readiness();
  const { mock } = t.mock.method(console, 'log', () => undefined);
  const PRIVATE_PORT = await privatePort(t, readiness, '127.0.0.1');
  await assert.rejects(check([], { PRIVATE_PORT }), /^Error: the server at .* is not ready: .*"warming"/);
  readiness.warmed();
  await check([], { PRIVATE_PORT });
  await check(['serve'], { PRIVATE_PORT });
  assert.deepEqual(mock.calls[0]?.arguments, [`the server at 127.0.0.1:${PRIVATE_PORT} is ready`]);
  readiness.drain();
  await assert.rejects(check([], { PRIVATE_PORT }), /is not ready: .*"draining"/);
});

test('the worker and the name server are asked at their own ports, and one that listens everywhere at this machine', async (t) => {
  const readiness = new Readiness();
  readiness.warmed();
  t.mock.method(console, 'log', () => undefined);
  const WORK_PORT = await privatePort(t, readiness, '0.0.0.0');
  await check(['work'], { WORK_PORT, PRIVATE_HOST: '0.0.0.0' });
  await check(['dns'], { DNS_PRIVATE_PORT: WORK_PORT, PRIVATE_HOST: '0.0.0.0' });
});

test('a process that is not there, or silent, or has no fixed port is told apart', async (t) => {
  const WORK_PORT = `${await closedPort()}`;
  await assert.rejects(check(['work'], { WORK_PORT }), /the worker does not answer .*longwave work running/);
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => silent.close());
  const started = performance.now();
  await assert.rejects(
    check([], { PRIVATE_PORT: `${portOf(silent)}` }),
    ({ cause }: Error) => cause instanceof Error && cause.name === 'AbortError',
  );
  assert.ok(performance.now() - started >= 1900, 'it waits for two seconds');
  await assert.rejects(check([], { PRIVATE_PORT: '0' }), /PRIVATE_PORT is 0, any free port/);
  await assert.rejects(check(['serving'], {}), UsageError);
});
