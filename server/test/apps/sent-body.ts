import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A request with a body, as somebody sends it who may stop in the middle. */
export interface SentBody {
  /** Of loopback: each is another house. */
  from: string;
  path: string;
  headers?: string;
  /** As the head says. */
  length: number;
  /** What follows the head. */
  sent: string;
}

export function sendBody(
  t: TestContext,
  port: number,
  { from, path, headers = '', length, sent }: SentBody,
): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from }).on('error', () => undefined);
  t.after(() => socket.destroy());
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: radio.test\r\n${headers}Content-Length: ${length}\r\n\r\n${sent}`,
  );
  return socket;
}

export async function statusOf(socket: Socket): Promise<number> {
  const [answer]: unknown[] = await once(socket, 'data', { signal: AbortSignal.timeout(30_000) });
  return Number(/^HTTP\/1\.1 (\d+)/.exec(String(answer))?.[1]);
}
