import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A network on the way to a server, which may lose whatever is sent, or keep it back, without telling anybody. */
export interface BlackHole extends AsyncDisposable {
  port: number;
  /** The database's address by way of this network. */
  urlOf(databaseUrl: string): string;
  /** From now on nothing arrives, neither on the connections there are nor on new ones. */
  swallow(): void;
  /** New connections get through; those from before stay silent for ever, as after a machine was replaced. */
  letPass(): void;
  /**
   * From now on nothing arrives until `resume`, and then all of it does: bytes and ends in both ways, and new connections, but
   * for those that were given up meanwhile.
   */
  hold(): void;
  resume(): void;
}

export async function startBlackHole(targetPort: number): Promise<BlackHole> {
  let state: 'passing' | 'swallowing' | 'holding' = 'passing';
  const sockets = new Set<Socket>();
  const ways = new Set<readonly [near: Socket, far: Socket]>();
  const waiting = new Map<Socket, () => void>();
  const lead = (near: Socket): void => {
    const far = connect(targetPort, '127.0.0.1');
    const way = [near, far] as const;
    sockets.add(far);
    ways.add(way);
    far.on('error', () => near.destroy());
    far.on('close', () => near.destroy());
    near.on('close', () => {
      ways.delete(way);
      far.destroy();
    });
    near.pipe(far).pipe(near);
  };
  // A closed half is passed on like a byte, not answered here.
  const server = createServer({ allowHalfOpen: true }, (near) => {
    sockets.add(near);
    near.on('error', () => near.destroy());
    if (state === 'passing') lead(near);
    else if (state === 'holding') waiting.set(near, keepWaiting(near));
    near.on('close', () => waiting.delete(near));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl);
      url.hostname = '127.0.0.1';
      url.port = String(address.port);
      return url.href;
    },
    swallow() {
      state = 'swallowing';
      for (const socket of sockets) socket.unpipe().pause();
    },
    letPass() {
      state = 'passing';
    },
    hold() {
      state = 'holding';
      for (const pair of ways) for (const socket of pair) socket.unpipe().pause();
    },
    resume() {
      state = 'passing';
      for (const [near, far] of ways) near.pipe(far).pipe(near);
      for (const [near, goOn] of waiting) {
        goOn();
        lead(near);
      }
      waiting.clear();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Keeps what a new connection says, and ends it when the other end does; gives what to do before it is led on. */
function keepWaiting(near: Socket): () => void {
  const said: Buffer[] = [];
  const keep = (bytes: Buffer): void => void said.push(bytes);
  const giveUp = (): void => void near.destroy();
  near.on('data', keep).on('end', giveUp);
  return () => {
    near.off('data', keep).off('end', giveUp).pause();
    if (said.length > 0) near.unshift(Buffer.concat(said));
  };
}
