import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sendFromPortZero } from '../../../test/servers/port-zero.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLog } from '../../lib/log.ts';
import { Metrics } from '../http/metrics.ts';
import type { LanInterface } from './lan-interfaces.ts';
import { SSDP_GROUP } from './message.ts';
import { SsdpServer } from './ssdp-server.ts';

const LOOPBACK = { name: 'lo', address: '127.0.0.1', prefixLength: 8 };
const UDN = 'uuid:2f402f80-da50-11e1-9b23-001788255acd';
const QUESTION = Buffer.from(`M-SEARCH * HTTP/1.1\r\nMAN: "ssdp:discover"\r\nMX: 0\r\nST: ${UDN}\r\n\r\n`);

function serverWith(interfaces: () => LanInterface[], logLines: string[] = []): SsdpServer {
  return new SsdpServer({
    device: { udn: UDN, types: [], server: 'Linux UPnP/1.0 Longwave/1.0' },
    locationAt: (address) => `http://${address}:1/description.xml`,
    interfaces,
    metrics: new Metrics(),
    clock: systemClock,
    log: createLog({ level: 'warn', sink: { write: (line) => void logLines.push(line) } }),
  });
}

async function answerTo(t: TestContext, question: Buffer): Promise<string> {
  const socket = createSocket('udp4');
  const answered = once(socket, 'message', { signal: AbortSignal.timeout(30_000) });
  // Again and again, as control points ask: the port is shared, and another program may have heard it.
  const asking = setInterval(() => socket.send(question, SSDP_GROUP.port, '127.0.0.1'), 500);
  t.after(() => {
    clearInterval(asking);
    socket.close();
  });
  const [answer]: unknown[] = await answered;
  return String(answer);
}

test('a search from port 0, which nobody can answer, does not end it', async (t) => {
  await using server = serverWith(() => [LOOPBACK]);
  await server.listen();
  await sendFromPortZero(SSDP_GROUP.port, QUESTION);
  assert.match(await answerTo(t, QUESTION), /LOCATION: http:\/\/127\.0\.0\.1:1\/description\.xml/);
});

test('interfaces that cannot be listed for a moment are listed the next time', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let asked = 0;
  const interfaces = (): LanInterface[] => {
    asked += 1;
    if (asked === 2) throw new Error('too many open files');
    return [LOOPBACK];
  };
  const logLines: string[] = [];
  await using server = serverWith(interfaces, logLines);
  await server.listen();
  for (let time = 0; time < 2; time += 1) {
    t.mock.timers.tick(15_000);
    await setImmediate();
  }
  assert.equal(asked, 3);
  assert.match(logLines.join(''), /too many open files/);
});
