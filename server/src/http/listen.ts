import { once } from 'node:events';
import { type ServerOptions as HttpOptions, type Server as HttpServer, createServer } from 'node:http';
import { type Server as HttpsServer, createServer as createHttpsServer } from 'node:https';
import { setImmediate } from 'node:timers/promises';
import type { Log } from '../lib/log.ts';
import { type CertificateFiles, readCertificate, renewCertificate } from './certificate.ts';
import { answerClientError } from './client-error.ts';
import { LIMITS } from './limits.ts';
import type { Metrics } from './metrics.ts';
import { createPrivateServer } from './private-listener.ts';
import type { Readiness } from './readiness.ts';
import type { Application } from './server.ts';

export interface ListenOptions {
  host: string;
  httpPort: number;
  https?: ({ port: number } & CertificateFiles) | undefined;
  privateHost: string;
  privatePort: number;
  maxConnections: number;
  /** Other socket limits than the usual ones; for tests that cannot wait. */
  socketLimits?: HttpOptions | undefined;
  log: Log;
  metrics: Metrics;
  readiness: Readiness;
}

/** The open sockets of the service. Ports are the real ones, also where 0 was asked for. */
export interface Listeners {
  httpPort: number;
  httpsPort: number | undefined;
  privatePort: number;
  reloadCertificate(): void;
  /** Takes no new connections and waits for the calls under way, up to the limit; then cuts what is left. */
  close(drainMs: number): Promise<void>;
}

const SOCKET_LIMITS: HttpOptions = {
  headersTimeout: LIMITS.headersTimeoutMs,
  requestTimeout: LIMITS.requestTimeoutMs,
  connectionsCheckingInterval: LIMITS.connectionsCheckingIntervalMs,
  keepAliveTimeout: LIMITS.keepAliveTimeoutMs,
  maxHeaderSize: LIMITS.maxHeaderBytes,
  // Devices of HTTP/1.0 send none; links then lead to the address they came to.
  requireHostHeader: false,
};

interface Door {
  server: HttpServer | HttpsServer;
  port: number;
  host: string;
}

/** Opens every socket, or none: the ones already open are closed again when one cannot be. */
export async function listen({ fastify, handle }: Application, options: ListenOptions): Promise<Listeners> {
  await fastify.ready();
  const { host, https, readiness, metrics } = options;
  const limits = { ...SOCKET_LIMITS, ...options.socketLimits };
  const inner = createPrivateServer(limits, readiness, metrics);
  const plain = limited(createServer(limits, handle), options);
  const secure =
    https && limited(createHttpsServer({ ...limits, ...readCertificate(https) }, handle), options);
  const doors: Door[] = [
    { server: inner, port: options.privatePort, host: options.privateHost },
    { server: plain, port: options.httpPort, host },
  ];
  if (secure) doors.push({ server: secure, port: https.port, host });
  await openAll(doors);
  const renewal = secure && renewCertificate(secure, https, options.log);
  return {
    httpPort: portOf(plain),
    httpsPort: secure && portOf(secure),
    privatePort: portOf(inner),
    reloadCertificate: () => renewal?.reload(),
    async close(drainMs): Promise<void> {
      renewal?.[Symbol.dispose]();
      await Promise.all([plain, ...(secure ? [secure] : [])].map((server) => closeServer(server, drainMs)));
      // Last, so that the operator's machines are told "draining" until there is nothing left to drain.
      await closeServer(inner, 0);
      await fastify.close();
    },
  };
}

/** Only the operator's door, for a process that answers nobody else. */
export async function listenPrivately(
  options: Pick<ListenOptions, 'privateHost' | 'privatePort' | 'readiness' | 'metrics'>,
): Promise<Pick<Listeners, 'privatePort' | 'close'>> {
  const inner = createPrivateServer(SOCKET_LIMITS, options.readiness, options.metrics);
  await bind(inner, options.privatePort, options.privateHost);
  return { privatePort: portOf(inner), close: () => closeServer(inner, 0) };
}

async function openAll(doors: readonly Door[]): Promise<void> {
  try {
    for (const { server, port, host } of doors) await bind(server, port, host);
  } catch (error) {
    for (const { server } of doors) server.close();
    throw error;
  }
}

function limited<S extends HttpServer | HttpsServer>(server: S, { maxConnections }: ListenOptions): S {
  server.maxConnections = maxConnections;
  server.maxRequestsPerSocket = LIMITS.maxRequestsPerSocket;
  server.timeout = LIMITS.socketTimeoutMs;
  server.on('clientError', answerClientError);
  return server;
}

async function bind(server: HttpServer | HttpsServer, port: number, host: string): Promise<void> {
  server.listen({ port, host });
  try {
    await once(server, 'listening');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`cannot listen on ${host} port ${port}: ${reason}`, { cause: error });
  }
}

function portOf(server: HttpServer | HttpsServer): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a listening socket has no port');
  return address.port;
}

/** Calls already sent but not yet read are answered too: the loop goes round once before idle connections are cut. */
async function closeServer(server: HttpServer | HttpsServer, drainMs: number): Promise<void> {
  await setImmediate();
  const closed = once(server, 'close');
  server.close();
  const timer = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearTimeout(timer);
}
