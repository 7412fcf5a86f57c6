import { connect, isIP, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectSecurely, getCACertificates } from 'node:tls';
import { failedAt } from './step-deadline.ts';
import { UnsafeAddress } from './fetch-failed.ts';
import { LazyAbortSignal, type Deadline } from './deadline.ts';
import type { Policy } from './policy.ts';

export interface Destination {
  /** A name, or an IP literal without brackets. */
  host: string;
  port: number;
  isSecure: boolean;
}

/**
 * Called with each piece of data, and must copy what it keeps: the next piece overwrites the same buffer. When it
 * returns false, reading stops until the socket is resumed.
 */
export type Take = (piece: Buffer) => boolean;

/** The shared read buffer of all connections. */
const LANDING = Buffer.alloc(16 * 1024);

/** An address that passed the policy check. */
export type AllowedIp = string & { readonly isAllowed: unique symbol };
/** Addresses tried per name. */
const MAX_TRIED = 3;

/**
 * All outgoing connections go through these two functions. A name is resolved once, all its addresses must be allowed,
 * and we connect to one of those addresses, not to the name: answering a second DNS query differently gains an attacker
 * nothing.
 */
export async function allowedIps(
  host: string,
  policy: Policy,
  deadline: Deadline,
): Promise<readonly AllowedIp[]> {
  const ips = isIP(host) === 0 ? await lookedUp(host, policy, deadline) : [host];
  for (const ip of ips)
    if (!policy.isAllowed(ip)) throw new UnsafeAddress('the address is not on the public internet');
  const tried = ips.length > MAX_TRIED ? ips.slice(0, MAX_TRIED) : ips;
  // oxlint-disable-next-line no-unsafe-type-assertion -- nothing else makes one
  return tried as AllowedIp[];
}

/** The peer's address is checked again before a byte is sent. */
export async function dial(
  ip: AllowedIp,
  { host, port, isSecure }: Destination,
  policy: Policy,
  deadline: Deadline,
  take?: Take,
): Promise<Socket> {
  const socket =
    take && !isSecure ? connect({ host: ip, port, onread: landing(take) }) : connect({ host: ip, port });
  try {
    await reached(socket, 'connect', policy.connectMs, deadline);
    if (!policy.isAllowed(socket.remoteAddress ?? ''))
      throw new UnsafeAddress('the connection reached another address');
    if (!isSecure) return socket;
    const secure = await secured(socket, host, policy, deadline);
    return take ? secure.on('data', (piece: Buffer) => void (take(piece) || secure.pause())) : secure;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Without a shared buffer every read allocates 64 KiB, for streams that are read only for a moment. */
const landing = (take: Take): OnReadOpts => ({
  buffer: LANDING,
  callback: (length) => take(LANDING.subarray(0, length)),
});

const lookedUp = (host: string, policy: Policy, deadline: Deadline): Promise<string[]> =>
  deadline.wait('lookup', policy.connectMs, (found, fail) => {
    const waiting = new LazyAbortSignal();
    policy.resolve(host, waiting).then(found, (error: unknown) => fail(failedAt('lookup', error)));
    // A late connection gives up its slot, so it must not continue.
    return () => waiting.end('no longer waited for');
  });

const EVENTS = { connect: 'connect', secure: 'secureConnect' } as const;

const reached = (socket: Socket, step: keyof typeof EVENTS, ms: number, deadline: Deadline): Promise<void> =>
  deadline.wait(step, ms, (done, fail) => {
    // Stays attached: until the caller adds its own listener there is no other.
    socket.on('error', (error) => fail(failedAt(step, error))).once(EVENTS[step], done);
  });

/** Without `host` the certificate of a literal address would be checked against the name `localhost`. */
async function secured(socket: Socket, host: string, policy: Policy, deadline: Deadline): Promise<Socket> {
  const secure = connectSecurely({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(policy.ca !== undefined && { ca: [...getCACertificates('default'), policy.ca] }),
    ALPNProtocols: ['http/1.1'],
  });
  secure.once('close', () => socket.destroy());
  await reached(secure, 'secure', policy.connectMs, deadline);
  return secure;
}
