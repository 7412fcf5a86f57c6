import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { BEHAVIOURS } from '../../hostile-stations/behaviours.ts';
import type { Listened } from '../../hostile-stations/listen-each.ts';

/** A tenth of the real ones; `HOSTILE_DEADLINE_MS=15000` for the long form. */
const DEADLINE_MS = Number(process.env['HOSTILE_DEADLINE_MS'] ?? 1200);
const SLACK_MS = 500;
const MAX_BYTES = 32 * 2 ** 20;
/** Behaviours are few seconds each at the most, one after the other. */
const WHOLE_MS = Object.keys(BEHAVIOURS).length * (DEADLINE_MS + SLACK_MS) + 20_000;

/** What some of them must be found to be; the others are no sound, whatever the reason. */
const FOUND: Readonly<Record<string, string>> = {
  'has its titles two gigabytes apart': 'mp3',
  'resets in the middle of the sound': 'mp3',
  'sends sound, and then is silent': 'mp3',
  'is a list of qualities that is its own quality': 'hls',
  'is a list of segments inside': 'hls',
  'is a list of segments inside, and stays': 'hls',
};
const SILENT = new Set(['dead', 'hls', 'no sound']);

/** One server for each behaviour, on 127.0.0.2. */
async function serve(): Promise<AsyncDisposable & { stations: { name: string; address: string }[] }> {
  const sockets = new Set<Socket>();
  const servers: [name: string, server: Server][] = Object.entries(BEHAVIOURS).map(([name, behave]) => {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
      socket.once('data', () => behave(socket));
    });
    return [name, server.listen(0, '127.0.0.2')];
  });
  await Promise.all(servers.map(([, server]) => once(server, 'listening')));
  const stations = servers.map(([name, server]) => {
    // oxlint-disable-next-line no-unsafe-type-assertion -- a server on a port has such an address
    const { port } = server.address() as AddressInfo;
    return { name, address: `http://radio.example.net:${port}/` };
  });
  return {
    stations,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      for (const [, server] of servers) server.close();
    },
  };
}

let all: Listened[] = [];
before(async () => {
  await using hostile = await serve();
  const program = join(import.meta.dirname, '../../hostile-stations/listen-each.ts');
  const run = promisify(execFile)(process.execPath, ['--expose-gc', program], { timeout: WHOLE_MS });
  run.child.stdin?.end(JSON.stringify({ stations: hostile.stations, deadlineMs: DEADLINE_MS }));
  all = JSON.parse((await run).stdout);
});

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const HIDDEN = /[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]/;

for (const name of Object.keys(BEHAVIOURS)) {
  test(`a station that ${name} is left in time, with little memory, no connection and a reason`, (t) => {
    const { ended, detail, titles, steps, ms, grownBytes, stillOpen } =
      all.find((one) => one.name === name) ?? assert.fail();
    t.diagnostic(`${ended}: ${detail}; ${ms.toFixed(0)} ms, ${(grownBytes / 2 ** 20).toFixed(1)} MiB`);
    const found = FOUND[name];
    if (found === undefined) assert.ok(SILENT.has(ended), `${ended}: ${detail}`);
    else assert.equal(ended, found, detail);
    assert.ok(ms < DEADLINE_MS + SLACK_MS, `${ms} ms`);
    assert.ok(grownBytes < MAX_BYTES, `${grownBytes} bytes`);
    assert.equal(stillOpen, 0, 'connections that nobody closes');
    assert.ok(steps > 0 && steps <= 60);
    assert.ok(titles.length <= 20 && titles.every((title) => title.length <= 256 && !HIDDEN.test(title)));
  });
}
