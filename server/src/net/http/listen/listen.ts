import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type Server as HttpServer,
  type ServerOptions,
  type ServerOptions as HttpOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { Server as NetServer } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../../lib/log.ts';
import { answerClientErrors } from './client-errors.ts';
import { type CertificateFiles, expiryOf, readCertificate, renewCertificate } from './certificate.ts';
import { HTTP_LIMITS } from '../limits.ts';
import type { Metrics, MetricsPage } from '../metrics.ts';
import type { Readiness } from '../readiness.ts';
import { respond } from '../respond.ts';
import type { Application } from '../server.ts';

export interface ListenOptions {
  host: string;
  httpPort: number;
  https?: ({ port: number } & CertificateFiles) | undefined;
  privateHost: string;
  privatePort: number;
  maxConnections: number;
  /** Overrides for tests. */
  socketLimits?: HttpOptions | undefined;
  log: Log;
  metrics: Metrics;
  /** What the private port shows of several processes; that of this one by default. */
  metricsPage?: MetricsPage | undefined;
  readiness: Readiness;
}

/** The open sockets. Ports are the actual ones, also where 0 was requested. */
export interface Listeners {
  httpPort: number;
  httpsPort: number | undefined;
  privatePort: number;
  reloadCertificate(): void;
  /**
   * Stops accepting connections and waits for calls in flight up to the limit; then cuts the rest. Connections without a call
   * are cut at once, or after `lingerMs`, so that what is just being sent over them is answered.
   */
  close(drainMs: number, lingerMs?: number): Promise<void>;
}

const SOCKET_LIMITS: HttpOptions = {
  headersTimeout: HTTP_LIMITS.headersTimeoutMs,
  requestTimeout: HTTP_LIMITS.requestTimeoutMs,
  connectionsCheckingInterval: HTTP_LIMITS.connectionsCheckingIntervalMs,
  keepAliveTimeout: HTTP_LIMITS.keepAliveTimeoutMs,
  maxHeaderSize: HTTP_LIMITS.maxHeaderBytes,
  // HTTP/1.0 devices send none; links then use the address they connected to.
  requireHostHeader: false,
  // A GET has no body to wait for: the stream of one costs a twentieth of a bare answer.
  optimizeEmptyRequests: true,
};

const CERTIFICATE_EXPIRY = 'tls_certificate_expiry_timestamp_seconds';

interface ListeningSocket {
  server: HttpServer | HttpsServer;
  port: number;
  host: string;
}

/** Opens every socket or none: if one fails, those already open are closed. */
export async function listen({ fastify, handle }: Application, options: ListenOptions): Promise<Listeners> {
  await fastify.ready();
  const { host, https, readiness, metrics } = options;
  const limits = { ...SOCKET_LIMITS, ...options.socketLimits };
  const inner = createPrivateServer(limits, readiness, options.metricsPage ?? metrics);
  const plain = limited(createServer(limits, handle), handle, options);
  const certificate = https && readCertificate(https);
  // The handshake is there as soon as a head would be; Node's own limit is two minutes, of a place that counts.
  const handshakeTimeout = limits.headersTimeout;
  const secure =
    certificate &&
    limited(createHttpsServer({ ...limits, handshakeTimeout, ...certificate }, handle), handle, options);
  const sockets: ListeningSocket[] = [
    { server: inner, port: options.privatePort, host: options.privateHost },
    { server: plain, port: options.httpPort, host },
  ];
  if (secure && https) sockets.push({ server: secure, port: https.port, host });
  await openAll(sockets);
  let expiry = certificate ? expiryOf(certificate) : 0;
  if (certificate) metrics.gauge(CERTIFICATE_EXPIRY, 'When the TLS certificate expires', () => expiry, 'min');
  const renewal =
    secure &&
    https &&
    renewCertificate(secure, https, options.log, (renewed) => (expiry = expiryOf(renewed)));
  return {
    httpPort: portOf(plain),
    httpsPort: secure && portOf(secure),
    privatePort: portOf(inner),
    reloadCertificate: () => renewal?.reload(),
    async close(drainMs, lingerMs): Promise<void> {
      renewal?.[Symbol.dispose]();
      const servers = [plain, ...(secure ? [secure] : [])];
      await Promise.all(servers.map((server) => closeServer(server, drainMs, lingerMs)));
      // Last, so that health checks see "draining" until the end.
      await closeServer(inner, lingerMs ?? 0);
      await fastify.close();
    },
  };
}

/** Opens only the private port, for a process that serves no other calls. */
export async function listenPrivately(
  options: Pick<ListenOptions, 'privateHost' | 'privatePort' | 'readiness'> & {
    metrics: MetricsPage;
  },
): Promise<Pick<Listeners, 'privatePort' | 'close'>> {
  const inner = createPrivateServer(SOCKET_LIMITS, options.readiness, options.metrics);
  await bind(inner, options.privatePort, options.privateHost);
  return { privatePort: portOf(inner), close: () => closeServer(inner, 0) };
}

async function openAll(sockets: readonly ListeningSocket[]): Promise<void> {
  try {
    for (const { server, port, host } of sockets) await bind(server, port, host);
  } catch (error) {
    for (const { server } of sockets) server.close();
    throw error;
  }
}

function limited<S extends HttpServer | HttpsServer>(
  server: S,
  handle: RequestListener,
  { maxConnections }: ListenOptions,
): S {
  server.maxConnections = maxConnections;
  // One of several processes would otherwise pass it to the others, which pass it on, for as long as all are full.
  Object.assign(server, { dropMaxConnection: true });
  server.maxRequestsPerSocket = HTTP_LIMITS.maxRequestsPerSocket;
  server.timeout = HTTP_LIMITS.socketTimeoutMs;
  answerClientErrors(server);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Behind another request that is not answered yet, Node would write this between the head and the body of the answer.
    if (response.socket !== null) response.writeContinue();
    handle(request, response);
  });
  return server;
}

/** What to do when a port cannot be opened; the settings are those of docs/configuration.md. */
const NOT_OPENED: Record<string, string> = {
  EADDRINUSE:
    'another process already uses this port, perhaps the demo or another longwave; stop it, or set another port',
  EACCES:
    'ports below 1024 need extra privileges; set a higher port behind a proxy, or grant CAP_NET_BIND_SERVICE',
  EADDRNOTAVAIL: 'this machine has no such address; 0.0.0.0 means all of its addresses',
};

/** Throws an error that says what to do where the port cannot be had. */
export async function bind(server: NetServer, port: number, host: string): Promise<void> {
  server.listen({ port, host });
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const advice = NOT_OPENED[code] ?? 'check the setting and the reason below';
    throw new Error(`cannot listen on ${host} port ${port}: ${advice}`, { cause: error });
  }
}

export function portOf(server: NetServer): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a listening socket has no port');
  return address.port;
}

/**
 * Requests already received but not yet read are answered too: one turn of the event loop passes before idle
 * connections are cut.
 */
async function closeServer(server: HttpServer | HttpsServer, drainMs: number, lingerMs = 0): Promise<void> {
  await setImmediate();
  const closed = once(server, 'close');
  if (lingerMs > 0) {
    // Closes the port alone; HTTP's own would cut connections over which no call has come yet.
    NetServer.prototype.close.call(server);
    await Promise.race([closed, sleep(lingerMs)]);
  }
  server.close();
  const timer = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearTimeout(timer);
}

/** Health and metrics, for the operator's own machines only. */
function createPrivateServer(limits: ServerOptions, readiness: Readiness, metrics: MetricsPage): Server {
  return createServer(limits, (request, response) => {
    void answer(request, response, readiness, metrics);
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  readiness: Readiness,
  metrics: MetricsPage,
): Promise<void> {
  const page = await pageOf(request.url ?? '', readiness, metrics);
  respond(request, response, {
    contentType: 'text/plain; charset=utf-8',
    ...page,
    lifetime: { noStore: true },
  });
}

interface Page {
  status: number;
  body: string;
  contentType?: string;
}

async function pageOf(url: string, readiness: Readiness, metrics: MetricsPage): Promise<Page> {
  if (url === '/livez') return readiness.live('private');
  if (url === '/readyz') return readiness.ready();
  if (url !== '/metrics') return { status: 404, body: 'Not found\n' };
  try {
    return { status: 200, body: await metrics.text(), contentType: metrics.contentType };
  } catch {
    return { status: 500, body: 'The metrics could not be collected\n' };
  }
}
