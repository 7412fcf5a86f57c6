import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { ipOfHost } from './hosts.ts';

/** A door for each host. All have one port, the one that was free at the first of them. */
export async function openHosts(
  hosts: number,
  enter: (host: number, socket: Socket) => void,
): Promise<number> {
  let chosen = 0;
  for (let host = 0; host < hosts; host += 1) {
    const door = createServer((socket) => enter(host, socket));
    chosen = await listening(door, chosen, ipOfHost(host));
  }
  return chosen;
}

/** Gives the port. */
export async function listening(server: Server, at: number, ip: string): Promise<number> {
  server.listen({ port: at, host: ip, backlog: 1024 });
  await once(server, 'listening');
  // oxlint-disable-next-line no-unsafe-type-assertion -- a server on a port has such an address
  return (server.address() as AddressInfo).port;
}
