import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { SafeFetcher } from '../../src/net/fetch/fetch-safely.ts';

/** What a station does with the connection, knowing what it was asked; a text is said and the connection closed. */
export type Answer = string | Buffer | ((socket: Socket, asked: string) => void);

export interface RawStation extends AsyncDisposable {
  /** Of a path, by name: the name is of the internet, the server is on 127.0.0.2. */
  address(path: string): string;
  /** Every question, as it came. */
  asked: string[];
  /** Connections that are open. */
  readonly open: number;
}

/** A server that says exactly these bytes, by path. */
export async function serveRaw(answers: Readonly<Record<string, Answer>>): Promise<RawStation> {
  const sockets = new Set<Socket>();
  const asked: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.once('data', (question: Buffer) => {
      const text = question.toString('latin1');
      asked.push(text);
      const answer = answers[text.split(' ')[1] ?? ''] ?? 'HTTP/1.0 404 Not Found\r\n\r\nno such mount';
      if (typeof answer === 'function') answer(socket, text);
      else socket.end(answer);
    });
  });
  server.listen(0, '127.0.0.2');
  await once(server, 'listening');
  // oxlint-disable-next-line no-unsafe-type-assertion -- a server on a port has such an address
  const { port } = server.address() as AddressInfo;
  return {
    address: (path) => `http://radio.example.net:${port}${path}`,
    asked,
    get open() {
      return sockets.size;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** 127.0.0.2 plays the internet; the name `away` is nobody's. */
export const localFetcher = (connectMs = 2000): SafeFetcher =>
  new SafeFetcher({
    policy: {
      resolve: async (host) => {
        if (host.startsWith('away.')) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
        return [host.startsWith('inside.') ? '127.0.0.1' : '127.0.0.2'];
      },
      isAllowed: (ip) => ip === '127.0.0.2',
      connectMs,
    },
    userAgent: 'longwave-test/1',
  });
