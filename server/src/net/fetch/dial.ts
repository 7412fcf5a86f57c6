import { connect, isIP, type OnReadOpts, type Socket } from 'node:net';
import {
  connect as connectSecurely,
  type ConnectionOptions,
  createSecureContext,
  getCACertificates,
  type SecureContext,
} from 'node:tls';
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
  const at = { host: ip, port, ...(take && { onread: landing(take) }) };
  const socket = isSecure ? connectSecurely({ ...at, ...securityOf(host, policy) }) : connect(at);
  const isAllowed = (): boolean => policy.isAllowed(socket.remoteAddress ?? '');
  // Before the listener that sends the first bytes of TLS.
  socket.prependOnceListener('connect', () => void (isAllowed() || socket.destroy()));
  try {
    await reached(socket, 'connect', policy.connectMs, deadline);
    if (!isAllowed()) throw new UnsafeAddress('the connection reached another address');
    if (isSecure) await reached(socket, 'secure', policy.connectMs, deadline);
    return socket;
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

/** The certificate of a literal address is checked against `host`, which then is that address. */
const securityOf = (host: string, policy: Policy): ConnectionOptions => ({
  ...(isIP(host) === 0 && { servername: host }),
  secureContext: contextOf(policy),
  ALPNProtocols: ['http/1.1'],
});

/** One for all connections: to make one reads every authority again, and keeps them. */
const contexts = new WeakMap<Policy, SecureContext>();
function contextOf(policy: Policy): SecureContext {
  const known = contexts.get(policy);
  if (known) return known;
  const { ca } = policy;
  const made = createSecureContext(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] });
  contexts.set(policy, made);
  return made;
}
