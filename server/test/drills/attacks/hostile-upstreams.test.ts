import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { SafeFetcher } from '../../../src/net/fetch/fetch-safely.ts';
import type { Ending } from '../../hostile-upstreams/fetch-each.ts';
import { UPSTREAMS, serveHostile } from '../../hostile-upstreams/serve.ts';

/** A tenth of the real ones; `HOSTILE_DEADLINE_MS=15000` for the long form. */
const DEADLINE_MS = Number(process.env['HOSTILE_DEADLINE_MS'] ?? 1500);
const SLACK_MS = 500;
const MAX_BYTES = 32 * 2 ** 20;

let endings: Ending[] = [];
before(async () => {
  await using hostile = await serveHostile();
  const program = join(import.meta.dirname, '../../hostile-upstreams/fetch-each.ts');
  const run = promisify(execFile)(process.execPath, ['--expose-gc', program], { timeout: 60 * DEADLINE_MS });
  run.child.stdin?.end(
    JSON.stringify({ upstreams: hostile.upstreams, deadlineMs: DEADLINE_MS, stepMs: DEADLINE_MS / 3 }),
  );
  endings = JSON.parse((await run).stdout);
});

for (const name of Object.keys(UPSTREAMS)) {
  test(`a server that ${name} is left in time, with little memory and a reason`, (t) => {
    const { error, message, ms, grownBytes } =
      endings.find((ending) => ending.name === name) ?? assert.fail();
    t.diagnostic(`${error}: ${message}; ${ms.toFixed(0)} ms, ${(grownBytes / 2 ** 20).toFixed(1)} MiB`);
    assert.match(error, /^(?:UnsafeAddress|FetchFailed)$/, message);
    assert.ok(ms < DEADLINE_MS + SLACK_MS, `${ms} ms`);
    assert.ok(grownBytes < MAX_BYTES, `${grownBytes} bytes`);
  });
}

// oxlint-disable-next-line no-unsafe-type-assertion -- a server on a port has such an address
const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

/** Each silent server is in a network of its own. */
const resolve = async (host: string): Promise<string[]> => {
  const network = /^silent(\d+)/.exec(host)?.[1];
  return [network === undefined ? '127.0.0.2' : `127.1.${network}.1`];
};

test('a hundred and fifty servers that say nothing keep no good one waiting', async () => {
  const silent = createTcpServer((socket) => socket.on('error', () => undefined)).listen(0, '0.0.0.0', 1024);
  const good = createServer((_request, response) => response.end('good')).listen(0, '127.0.0.2');
  await Promise.all([once(silent, 'listening'), once(good, 'listening')]);
  const policy = { resolve, isAllowed: (ip: string) => ip.startsWith('127.'), connectMs: 5000 };
  const fetcher = new SafeFetcher({ policy });
  let left = 0;
  const waits = Array.from({ length: 150 }, (_, index) =>
    fetcher
      .fetch(`http://silent${index}.example.net:${portOf(silent)}/`, { deadlineMs: 5000 })
      .finally(() => (left += 1))
      .then(
        () => 'answered',
        (error: Error) => error.name,
      ),
  );
  const { body } = await fetcher.fetch(`http://radio.example.net:${portOf(good)}/`);
  assert.equal(body.toString(), 'good');
  assert.equal(left, 0, 'while all of the others are waited for');
  assert.deepEqual(new Set(await Promise.all(waits)), new Set(['FetchFailed']));
  silent.close();
  good.close();
});
