import { once } from 'node:events';
import { type Socket, connect, createServer } from 'node:net';
import { join } from 'node:path';

export interface DatabaseProxy extends AsyncDisposable {
  /** The database's address for a program that reaches no network but this folder. */
  url: string;
}

/** Leads from a Unix socket in the folder to the database's port, so that a server without a network finds it. */
export async function openDatabaseProxy(folder: string, databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  const door = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    tie(near, far, open);
  });
  door.listen(join(folder, '.s.PGSQL.5432'));
  await once(door, 'listening');
  const url = new URL(databaseUrl);
  url.port = '5432';
  url.searchParams.set('host', folder);
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      door.close();
      await once(door, 'close');
    },
  };
}

function tie(near: Socket, far: Socket, open: Set<Socket>): void {
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    open.add(from);
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      open.delete(from);
      to.destroy();
    });
  }
}
