import { type OnReadOpts, type Socket, connect, isIP } from 'node:net';
import { connect as connectSecurely, getCACertificates } from 'node:tls';
import { awaited } from './deadline.ts';
import type { Policy } from './policy.ts';
import { UnsafeAddress } from './unsafe-address.ts';

export interface Destination {
  /** A name, or a literal without brackets. */
  host: string;
  port: number;
  isSecure: boolean;
}

/** Waits until one more connection to that address is welcome. */
export type Admit = (ip: string) => Promise<void>;

/** Is given what comes, piece by piece; where it says no, nothing more is read until the socket is resumed. */
export type Take = (piece: Buffer) => boolean;

const ignore = (): void => undefined;

/** Where the kernel writes what comes, for all connections: whoever takes a piece has a copy before the next is read. */
const LANDING = Buffer.alloc(16 * 1024);

/**
 * The one way out. A name is looked up once, every address it has must be allowed, and the connection goes to one of
 * those addresses, not to the name: who answers the second question about a name differently gains nothing. Whom we are
 * connected to is checked once more before a byte is sent.
 */
export async function dial(
  destination: Destination,
  policy: Policy,
  signal: AbortSignal,
  admit?: Admit,
  take?: Take,
): Promise<Socket> {
  const ip = await allowedIp(destination.host, policy, signal);
  await admit?.(ip);
  const { host, port, isSecure } = destination;
  const socket = connect({ host: ip, port, ...(take && !isSecure && { onread: landing(take) }) });
  // Whoever uses it listens for themselves; until then nobody does.
  socket.on('error', ignore);
  try {
    await reached(socket, 'connect', 'connect', policy.connectMs, signal);
    if (!policy.isAllowed(socket.remoteAddress ?? ''))
      throw new UnsafeAddress('the connection went elsewhere');
    if (!isSecure) return socket;
    const secure = await secured(socket, host, policy, signal);
    return take ? secure.on('data', (piece: Buffer) => void (take(piece) || secure.pause())) : secure;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Without it every read is given 64 KiB of its own, for streams that are read for a moment and left. */
const landing = (take: Take): OnReadOpts => ({
  buffer: LANDING,
  callback: (length) => take(Buffer.from(LANDING.subarray(0, length))),
});

async function allowedIp(host: string, policy: Policy, signal: AbortSignal): Promise<string> {
  const ips = isIP(host) === 0 ? await lookedUp(host, policy, signal) : [host];
  const [first] = ips;
  if (first === undefined) throw new UnsafeAddress('the name has no address');
  if (!ips.every((ip) => policy.isAllowed(ip)))
    throw new UnsafeAddress('the address is not of the public internet');
  return first;
}

const lookedUp = (host: string, policy: Policy, signal: AbortSignal): Promise<string[]> =>
  awaited('lookup', policy.connectMs, signal, (found, failed) => {
    const ending = new AbortController();
    policy.resolve(host, ending.signal).then(found, failed);
    // One that is too late gives its seat to another, and must not go on beside it.
    return () => ending.abort('no longer waited for');
  });

const reached = (
  socket: Socket,
  event: 'connect' | 'secureConnect',
  step: 'connect' | 'secure',
  ms: number,
  signal: AbortSignal,
): Promise<void> =>
  awaited(step, ms, signal, (done, fail) => {
    socket.once('error', fail).once(event, done);
    return () => socket.off('error', fail).off(event, done);
  });

/** Without `host` a certificate for a literal address would be held against the name `localhost`. */
async function secured(socket: Socket, host: string, policy: Policy, signal: AbortSignal): Promise<Socket> {
  const secure = connectSecurely({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(policy.ca !== undefined && { ca: [...getCACertificates('default'), policy.ca] }),
    ALPNProtocols: ['http/1.1'],
  });
  secure.on('error', () => undefined).once('close', () => socket.destroy());
  await reached(secure, 'secureConnect', 'secure', policy.connectMs, signal);
  return secure;
}
