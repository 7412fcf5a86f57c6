import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A network on the way to a server, which may lose whatever is sent without telling anybody. */
export interface BlackHole extends AsyncDisposable {
  port: number;
  /** From now on nothing arrives, neither on the connections there are nor on new ones. */
  swallow(): void;
  /** New connections get through; those from before stay silent for ever, as after a machine was replaced. */
  letPass(): void;
}

export async function startBlackHole(targetPort: number): Promise<BlackHole> {
  let isSwallowing = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => near.destroy());
    if (isSwallowing) return;
    const far = connect(targetPort, '127.0.0.1');
    sockets.add(far);
    far.on('error', () => near.destroy());
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    swallow() {
      isSwallowing = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    letPass() {
      isSwallowing = false;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
