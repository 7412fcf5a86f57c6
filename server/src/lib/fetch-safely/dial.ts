import { type OnReadOpts, type Socket, connect, isIP } from 'node:net';
import { connect as connectSecurely, getCACertificates } from 'node:tls';
import { failedAt } from './deadline.ts';
import { LateSignal } from './late-signal.ts';
import type { Patience } from './patience.ts';
import type { Policy } from './policy.ts';
import { UnsafeAddress } from './unsafe-address.ts';

export interface Destination {
  /** A name, or a literal without brackets. */
  host: string;
  port: number;
  isSecure: boolean;
}

/**
 * Is given what comes, piece by piece, and copies what it keeps: the next piece comes to the same place. Where it says no,
 * nothing more is read until the socket is resumed.
 */
export type Take = (piece: Buffer) => boolean;

/** Where the kernel writes what comes, for all connections. */
const LANDING = Buffer.alloc(16 * 1024);

/** An address that was looked at and found to be allowed. */
export type AllowedIp = string & { readonly isAllowed: unique symbol };
/** Of the addresses of a name. */
const MOST_TRIED = 3;

/**
 * The one way out is by these two. A name is looked up once, every address it has must be allowed, and the connection goes
 * to one of those addresses, not to the name: who answers the second question about a name differently gains nothing.
 */
export async function allowedIps(
  host: string,
  policy: Policy,
  patience: Patience,
): Promise<readonly AllowedIp[]> {
  const ips = isIP(host) === 0 ? await lookedUp(host, policy, patience) : [host];
  for (const ip of ips)
    if (!policy.isAllowed(ip)) throw new UnsafeAddress('the address is not of the public internet');
  const tried = ips.length > MOST_TRIED ? ips.slice(0, MOST_TRIED) : ips;
  // oxlint-disable-next-line no-unsafe-type-assertion -- nothing else makes one
  return tried as AllowedIp[];
}

/** Whom we are connected to is checked once more before a byte is sent. */
export async function dial(
  ip: AllowedIp,
  { host, port, isSecure }: Destination,
  policy: Policy,
  patience: Patience,
  take?: Take,
): Promise<Socket> {
  const socket =
    take && !isSecure ? connect({ host: ip, port, onread: landing(take) }) : connect({ host: ip, port });
  try {
    await reached(socket, 'connect', policy.connectMs, patience);
    if (!policy.isAllowed(socket.remoteAddress ?? ''))
      throw new UnsafeAddress('the connection went elsewhere');
    if (!isSecure) return socket;
    const secure = await secured(socket, host, policy, patience);
    return take ? secure.on('data', (piece: Buffer) => void (take(piece) || secure.pause())) : secure;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Without it every read is given 64 KiB of its own, for streams that are read for a moment and left. */
const landing = (take: Take): OnReadOpts => ({
  buffer: LANDING,
  callback: (length) => take(LANDING.subarray(0, length)),
});

const lookedUp = (host: string, policy: Policy, patience: Patience): Promise<string[]> =>
  patience.wait('lookup', policy.connectMs, (found, fail) => {
    const waiting = new LateSignal();
    policy.resolve(host, waiting).then(found, (error: unknown) => fail(failedAt('lookup', error)));
    // One that is too late gives its seat to another, and must not go on beside it.
    return () => waiting.end('no longer waited for');
  });

const EVENTS = { connect: 'connect', secure: 'secureConnect' } as const;

const reached = (socket: Socket, step: keyof typeof EVENTS, ms: number, patience: Patience): Promise<void> =>
  patience.wait(step, ms, (done, fail) => {
    // It stays, for whoever uses it listens for themselves, and until then nobody else does.
    socket.on('error', (error) => fail(failedAt(step, error))).once(EVENTS[step], done);
  });

/** Without `host` a certificate for a literal address would be held against the name `localhost`. */
async function secured(socket: Socket, host: string, policy: Policy, patience: Patience): Promise<Socket> {
  const secure = connectSecurely({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(policy.ca !== undefined && { ca: [...getCACertificates('default'), policy.ca] }),
    ALPNProtocols: ['http/1.1'],
  });
  secure.once('close', () => socket.destroy());
  await reached(secure, 'secure', policy.connectMs, patience);
  return secure;
}
