import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { portOf } from '../../../servers/port-of.ts';

/**
 * The control, a proxy as there were many: anything that looks like a length is one for it, it knows no chunks, waits for the
 * longest body that is spoken of and tells the service the last length. What it takes for a body may be a request there.
 */
export async function startLenientProxy(servicePort: number): Promise<AsyncDisposable & { port: number }> {
  const open = new Set<Socket>();
  const server = createServer((caller) => {
    const service = connect(servicePort, '127.0.0.1');
    for (const socket of [caller, service]) open.add(socket.on('error', () => socket.destroy()));
    service.pipe(caller);
    service.on('close', () => caller.destroy());
    caller.on('close', () => service.destroy());
    let waiting = '';
    caller.setEncoding('latin1').on('data', (text: string) => {
      waiting += text;
      for (;;) {
        const end = waiting.indexOf('\r\n\r\n');
        const head = waiting.slice(0, end);
        const lengths = [...head.matchAll(LENGTH)].map(([, digits]) => Number(digits));
        const length = Math.max(0, ...lengths);
        if (length > MAX_BODY) caller.destroy();
        if (end === -1 || waiting.length < end + 4 + length) return;
        const passedOn = head.split('\r\n').filter((line, n) => n === 0 || WELL_WRITTEN.test(line));
        if (lengths.length > 0) passedOn.push(`Content-Length: ${lengths.at(-1)}`);
        service.write(
          `${passedOn.join('\r\n')}\r\n\r\n${waiting.slice(end + 4, end + 4 + length)}`,
          'latin1',
        );
        waiting = waiting.slice(end + 4 + length);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: portOf(server),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Longer than any message here. */
const MAX_BODY = 10_000;
const LENGTH = /content[-_]length\s*:\s*\+?(\d+)/gi;
const WELL_WRITTEN = /^(?!content-length|transfer-encoding|upgrade)[\w-]+: [\x20-\x7e]+$/i;
