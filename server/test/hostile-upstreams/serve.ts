import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { BODIES } from './bodies.ts';
import { HEADS } from './heads.ts';
import { type Behaviour, dripping, thenNothing } from './send.ts';

/** What goes wrong before TLS is agreed on; asked by `https:`. */
export const HANDSHAKES: Readonly<Record<string, Behaviour>> = {
  'never agrees on TLS': thenNothing(''),
  'answers TLS with HTTP': (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  'answers TLS a byte at a time': dripping('', Buffer.from([0x16])),
  'promises a long record of TLS and sends it slowly': dripping('\x16\x03\x03\x3F\xFF', Buffer.alloc(1)),
};
export const UPSTREAMS = { ...HEADS, ...BODIES, ...HANDSHAKES };

export interface Upstream {
  name: string;
  address: string;
}

/** One server for each behaviour, on 127.0.0.2. */
export async function serveHostile(): Promise<AsyncDisposable & { upstreams: Upstream[] }> {
  const sockets = new Set<Socket>();
  const servers = Object.entries(UPSTREAMS).map(([name, behave]) => {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
      socket.once('data', () => behave(socket));
    });
    server.listen(0, '127.0.0.2');
    return { name, server };
  });
  await Promise.all(servers.map(({ server }) => once(server, 'listening')));
  const upstreams = servers.map(({ name, server }) => {
    // oxlint-disable-next-line no-unsafe-type-assertion -- a server on a port has such an address
    const { port } = server.address() as AddressInfo;
    return { name, address: `${name in HANDSHAKES ? 'https' : 'http'}://radio.example.net:${port}/` };
  });
  return {
    upstreams,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      for (const { server } of servers) server.close();
    },
  };
}
