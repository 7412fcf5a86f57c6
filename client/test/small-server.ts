import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { answerOf, type Besides, type HasSaved, isKnown } from './small-directory.ts';
import { SmallMembers } from './small-members.ts';
import { reportPage } from './small-report.ts';

export interface Sent {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Changes an answer on its way out, for a server that is broken in one way. */
export type Break = (sent: Sent, path: string, request: IncomingMessage) => Sent;

export interface SmallServer {
  origin: string;
  /** What it takes for HTTPS, without the keys. */
  secureOrigin: string;
  close(): Promise<void>;
}

/** A directory of a handful of items that keeps every statement, unless it is broken on purpose. */
export async function startSmallServer(change: Break = (sent) => sent): Promise<SmallServer> {
  const members = new SmallMembers();
  const hasSaved: HasSaved = (call, id) => members.hasSaved(call, id);
  const servers = [false, true].map((isSecure) => {
    const besides: Besides = (path, call) =>
      path === '/report.ashx' && isKnown(call) ? reportPage(call) : members.answer(path, call, isSecure);
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const url = await addressOf(request);
      send(response, change(answerOf(url, request.headers, besides, hasSaved), url, request));
    };
    return createServer((request, response) => void answer(request, response));
  });
  const [origin = '', secureOrigin = ''] = await Promise.all(servers.map(listen));
  return {
    origin,
    secureOrigin,
    async close() {
      await Promise.all(servers.map(stop));
    },
  };
}

/** The address with the form behind it, so that both are read alike. */
async function addressOf(request: IncomingMessage): Promise<string> {
  const { url = '/', method } = request;
  if (method !== 'POST') return url;
  const form = await text(request);
  return `${url}${url.includes('?') ? '&' : '?'}${form}`;
}

function send(response: ServerResponse, sent: Sent): void {
  const body = Buffer.from(sent.body, 'utf8');
  const isChunked = sent.headers['Transfer-Encoding'] !== undefined;
  const length: Record<string, string> = isChunked ? {} : { 'Content-Length': String(body.length) };
  response.writeHead(sent.status, { ...length, ...sent.headers });
  response.end(body);
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
