import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { hostname } from 'node:os';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { isHomeAddress } from '../../net/dns/own-addresses.ts';
import { plainAddress } from '../../net/http/caller/addresses.ts';
import type { HttpContext } from '../../net/http/exchange.ts';
import { fileEndpoint } from '../../net/http/endpoints/file-endpoint.ts';
import { HTTP_LIMITS } from '../../net/http/limits.ts';
import { respond, textReply } from '../../net/http/respond.ts';
import { type Application, createHttpServer, requestIds } from '../../net/http/server.ts';
import { logos, type LogosDeps } from '../../protocols/logos/logos.ts';
import { play, type PlayDeps } from '../../protocols/play/play.ts';
import { savedAddresses } from '../../protocols/upnp/saved-addresses.ts';
import { upnp, type UpnpDeps } from '../../protocols/upnp/upnp.ts';
import { databaseWait } from '../../storage/db/wait-factor.ts';
import type { Config } from '../config.ts';

export type UpnpServerOptions = UpnpDeps &
  PlayDeps &
  LogosDeps &
  Pick<HttpContext, 'log' | 'metrics' | 'readiness' | 'rateLimit'> & { clock?: Clock };

const MAX_LOGOS = 50;
/** One house: its devices ask one after the other. */
const MAX_IN_FLIGHT = 100;

/** The media server with all that its answers lead to: what is played, and logos. */
export function createUpnpServer(options: UpnpServerOptions): Application {
  const { log, metrics, readiness, rateLimit, clock = systemClock } = options;
  const context: HttpContext = {
    network: { publicHosts: [], trustedProxies: [] },
    log,
    metrics,
    readiness,
    rateLimit,
    clock,
    callTimeoutMs: databaseWait(HTTP_LIMITS.callTimeoutMs),
    capacity: { inUse: 0, max: MAX_IN_FLIGHT },
    nextId: requestIds(),
    held: 0,
  };
  const find = logos(options);
  const { fastify, handle } = createHttpServer(context, [
    upnp(options),
    play(options),
    savedAddresses(options),
    fileEndpoint({
      path: '/logos/*',
      maxConcurrency: MAX_LOGOS,
      answer: async ({ file }) => {
        const { bytes, contentType, etag, ...lifetime } = await find(`/logos/${file}`);
        return { status: 200, contentType, etag, lifetime, body: bytes };
      },
    }),
  ]);
  return { fastify, handle: forHomeOnly(handle) };
}

/**
 * Nobody from outside the house, and no page of a site whose name leads to an address in it: who means us asks for the address
 * that they reached.
 */
const forHomeOnly =
  (handle: RequestListener): RequestListener =>
  (request, response) => {
    const { remoteAddress = '', localAddress = '' } = request.socket;
    const host = hostOf(request);
    if (!isHomeAddress(plainAddress(remoteAddress)))
      respond(request, response, textReply(403, 'Only for devices of the home network\n', { close: true }));
    else if (host !== undefined && host !== plainAddress(localAddress))
      respond(
        request,
        response,
        textReply(403, 'Ask for it by its IP address, as it is announced in the home network\n', {
          close: true,
        }),
      );
    else handle(request, response);
  };

/** The host that is asked for, without its port; undefined where the caller names none, as old devices do. */
function hostOf({ headers, url = '' }: IncomingMessage): string | undefined {
  const [, named = headers.host] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  return named === undefined || named === '' ? undefined : named.replace(/:\d{0,5}$/, '');
}

/** The same after every start: a UUID that follows from the machine, unless the operator has set one. */
export function udnOf({ upnpUuid, upnpPort }: Pick<Config, 'upnpUuid' | 'upnpPort'>): string {
  if (upnpUuid !== undefined) return `uuid:${upnpUuid}`;
  const digest = hash('sha256', `longwave upnp ${machineId()} ${upnpPort}`);
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 3) | 8).toString(16);
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`];
  return `uuid:${[...parts, `${variant}${digest.slice(17, 20)}`, digest.slice(20, 32)].join('-')}`;
}

function machineId(): string {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim() || hostname();
  } catch {
    return hostname();
  }
}
