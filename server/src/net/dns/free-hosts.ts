import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv4 } from 'node:net';
import { isHomeAddress, listMachineAddresses } from './own-addresses.ts';

const EVERY_ADDRESS = '0.0.0.0';

/**
 * Where a name server listens that is to listen on every address. Where another resolver has the port on one of them, as
 * systemd-resolved has on 127.0.0.53 and podman on its bridge, these are the addresses of the home network that are
 * free; those are what radios ask.
 */
export async function chooseFreeHosts(host: string, port: number): Promise<string[]> {
  if (host !== EVERY_ADDRESS || !(await isTaken(host, port))) return [host];
  const free: string[] = [];
  for (const address of listMachineAddresses().filter(isOfHome))
    if (!(await isTaken(address, port))) free.push(address);
  return free.length > 0 ? free : [host];
}

const isOfHome = (address: string): boolean =>
  isIPv4(address) && isHomeAddress(address) && !address.startsWith('127.');

/** By TCP or by UDP: some resolvers have one of them alone. */
async function isTaken(host: string, port: number): Promise<boolean> {
  const tcp = createServer();
  const udp = createSocket('udp4');
  try {
    tcp.listen({ host, port });
    await once(tcp, 'listening');
    udp.bind(port, host);
    await once(udp, 'listening');
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  } finally {
    if (tcp.listening) await new Promise((resolve) => tcp.close(resolve));
    await new Promise<void>((resolve) => udp.close(resolve));
  }
}
