import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Endpoint } from '../../src/protocols/radiotime/call/endpoint.ts';
import { type ListenOptions, type Listeners, listen } from '../../src/net/http/listen/listen.ts';
import { Metrics } from '../../src/net/http/metrics.ts';
import { Readiness } from '../../src/net/http/readiness.ts';
import { type ServerOptions, createServer } from '../../src/app/server.ts';
import type { Application } from '../../src/net/http/server.ts';
import { type LogLevel, createLog } from '../../src/lib/log.ts';
import { keepLog } from '../processes/keep-log.ts';

/** A server without sockets, to be asked by `inject`; its log is kept. */
export interface TestApp {
  app: FastifyInstance;
  application: Application;
  options: ServerOptions;
  logLines: string[];
}

export function testApp(
  endpoints: readonly Endpoint[],
  overrides: Partial<ServerOptions> & { logLevel?: LogLevel } = {},
): TestApp {
  const { logLevel = 'trace', ...rest } = overrides;
  const logLines: string[] = [];
  const options: ServerOptions = {
    endpoints,
    log: createLog({ level: logLevel, sink: { write: (line) => keep(logLines, line) } }),
    metrics: new Metrics(),
    readiness: new Readiness(),
    maxInFlight: 100,
    publicHosts: ['radio.test'],
    trustedProxies: [],
    ...rest,
  };
  options.readiness.warmed();
  const application = createServer(options);
  return { app: application.fastify, application, options, logLines };
}

function keep(logLines: string[], line: string): void {
  logLines.push(line);
  keepLog(line);
}

export interface TestServer extends TestApp, AsyncDisposable {
  listeners: Listeners;
  /** `http://127.0.0.1:port` */
  origin: string;
}

/** The same on real sockets, on free ports. */
export async function startServer(
  endpoints: readonly Endpoint[],
  overrides: Partial<ServerOptions> = {},
  listening: Partial<ListenOptions> = {},
): Promise<TestServer> {
  const made = testApp(endpoints, overrides);
  const { log, metrics, readiness } = made.options;
  const host = '127.0.0.1';
  const ports = { host, httpPort: 0, privateHost: host, privatePort: 0, maxConnections: 1000 };
  const listeners = await listen(made.application, { ...ports, log, metrics, readiness, ...listening });
  return {
    ...made,
    listeners,
    origin: `http://${host}:${listeners.httpPort}`,
    [Symbol.asyncDispose]: () => listeners.close(0),
  };
}

/** Sends bytes as they are and gives back everything that comes until the peer closes or is quiet for a while. */
export async function sendRaw(port: number, text: string | Buffer, quietMs = 2000): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (data: string) => {
    received += data;
  });
  socket.on('error', () => socket.destroy());
  socket.write(text);
  await Promise.race([once(socket, 'close'), sleep(quietMs, undefined, { ref: false })]);
  socket.destroy();
  return received;
}
