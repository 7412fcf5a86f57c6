import { once } from 'node:events';
import { type Socket, connect, isIP } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { Policy } from './policy.ts';
import { UnsafeAddress } from './unsafe-address.ts';

export interface Destination {
  /** A name, or a literal without brackets. */
  host: string;
  port: number;
  isSecure: boolean;
}

/**
 * The one way out. A name is looked up once, every address it has must be allowed, and the connection goes to one of
 * those addresses, not to the name: who answers the second question about a name differently gains nothing. Whom we are
 * connected to is checked once more before a byte is sent.
 */
export async function dial(destination: Destination, policy: Policy, signal: AbortSignal): Promise<Socket> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(policy.connectMs)]);
  const ip = await allowedIp(destination.host, policy, deadline);
  const socket = connect({ host: ip, port: destination.port });
  // Whoever uses it listens for themselves; until then nobody does.
  socket.on('error', () => undefined);
  try {
    await beforeEnd(once(socket, 'connect'), deadline);
    if (!policy.isAllowed(socket.remoteAddress ?? ''))
      throw new UnsafeAddress('the connection went elsewhere');
    return destination.isSecure ? await secured(socket, destination.host, policy, deadline) : socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function allowedIp(host: string, policy: Policy, signal: AbortSignal): Promise<string> {
  const ips = isIP(host) === 0 ? await beforeEnd(policy.resolve(host, signal), signal) : [host];
  const [first] = ips;
  if (first === undefined) throw new UnsafeAddress('the name has no address');
  if (!ips.every((ip) => policy.isAllowed(ip)))
    throw new UnsafeAddress('the address is not of the public internet');
  return first;
}

async function secured(socket: Socket, host: string, { ca }: Policy, signal: AbortSignal): Promise<Socket> {
  const name = isIP(host) === 0 ? { servername: host } : {};
  const secure = connectSecurely({
    socket,
    ...name,
    ...(ca !== undefined && { ca }),
    ALPNProtocols: ['http/1.1'],
  });
  await beforeEnd(once(secure, 'secureConnect'), signal);
  return secure;
}

/** What cannot be called off, such as a look-up by the system, can be left. */
function beforeEnd<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  return Promise.race([promise, ended]).finally(() => signal.removeEventListener('abort', stop));
}
