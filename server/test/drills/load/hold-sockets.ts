/**
 * Holds connections open: `hold-sockets.ts PORT COUNT` connects as often and sends a request that never ends, a header every second;
 * with `silent` behind it, it sends nothing at all.
 * Prints `held` once all are open, and how long the last of them lived, in seconds, when none is left.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const [, , port = '', count = '', how = ''] = process.argv;
const IS_SILENT = how === 'silent';
const AT_ONCE = 200;
const sockets: Socket[] = [];
const ended: Promise<unknown>[] = [];

async function open(index: number): Promise<void> {
  // The addresses of many houses: 127.0.0.1 is not among them.
  const localAddress = `127.${1 + (index >> 14)}.${(index >> 7) & 127}.${1 + (index & 127)}`;
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  if (!IS_SILENT) socket.write('GET /Browse.ashx HTTP/1.1\r\nHost: radio.example\r\n');
  sockets.push(socket);
  ended.push(socket.destroyed ? Promise.resolve() : once(socket.resume(), 'close'));
}

for (let from = 0; from < Number(count); from += AT_ONCE)
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, Number(count) - from) }, (_, index) => open(from + index)),
  );
const startMs = performance.now();
const dripping = setInterval(() => {
  for (const socket of sockets) if (!IS_SILENT && !socket.destroyed) socket.write('X-More: 1\r\n');
}, 1000);
console.log(`held ${sockets.filter(({ destroyed }) => !destroyed).length}`);
await Promise.all(ended);
clearInterval(dripping);
console.log(`gone ${((performance.now() - startMs) / 1000).toFixed(1)}`);
