import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerOf } from './small-directory.ts';

export interface Sent {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Changes an answer on its way out, for a server that is broken in one way. */
export type Break = (sent: Sent, path: string, request: IncomingMessage) => Sent;

export interface SmallServer {
  origin: string;
  close(): Promise<void>;
}

/** A directory of a handful of items that keeps every statement, unless it is broken on purpose. */
export async function startSmallServer(change: Break = (sent) => sent): Promise<SmallServer> {
  const server = createServer((request, response) => {
    const { url = '/', headers } = request;
    const sent = change(answerOf(url, headers), url, request);
    const body = Buffer.from(sent.body, 'utf8');
    const isChunked = sent.headers['Transfer-Encoding'] !== undefined;
    const length: Record<string, string> = isChunked ? {} : { 'Content-Length': String(body.length) };
    response.writeHead(sent.status, { ...length, ...sent.headers });
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
