import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type Server, createServer } from 'node:net';

/** Where a server of this test listens. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on no port');
  return address.port;
}

/** Below those that the system gives to connections, so that nobody takes it before it is used. */
const [FIRST_PORT, LAST_PORT] = [12_000, 32_000];

/** A port on which nobody listens. */
export async function closedPort(): Promise<number> {
  const port = randomInt(FIRST_PORT, LAST_PORT);
  const server = createServer().listen(port, '127.0.0.1');
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return closedPort();
  server.close();
  await once(server, 'close');
  return port;
}
