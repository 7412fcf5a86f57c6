import type { Config } from '../config.ts';
import { api } from '../api.ts';
import { findHomePlace } from '../catalog/home-place.ts';
import { openContext } from '../context.ts';
import { openDirectory } from '../directory/directory.ts';
import { stopOnSignals } from '../http/graceful-stop.ts';
import { listen, type ListenOptions } from '../http/listen.ts';
import { Metrics } from '../http/metrics.ts';
import { Readiness } from '../http/readiness.ts';
import { createServer } from '../http/server.ts';
import type { Command } from './command.ts';

export const serveCommand: Command = {
  usage: ['serve'],
  summary: 'answer radios',
  async run(_args, config) {
    const context = openContext(config, { name: 'serve' });
    const { log, pool } = context;
    const directory = await openDirectory({ pool, databaseUrl: config.databaseUrl, log });
    const homePlace =
      config.homePlace === undefined ? undefined : await findHomePlace(pool, config.homePlace);
    const metrics = new Metrics();
    const readiness = new Readiness();
    metrics.gauge('directory_version', 'The catalogue version shown', () => directory.current().version);
    metrics.gauge(
      'directory_stations',
      'Stations in the directory',
      () => directory.current().stations.length,
    );
    const app = createServer({
      endpoints: api({ directory, homePlace, registrationUrl: config.registrationUrl }),
      log,
      metrics,
      readiness,
      maxInFlight: config.maxInFlight,
      publicHosts: config.publicHosts,
      trustedProxies: config.trustedProxies,
    });
    const listeners = await listen(app, { ...listenOptions(config), log, metrics, readiness });
    readiness.warmed();
    const { stations, version } = directory.current();
    log.info({ ...listeners, stations: stations.length, version }, 'serving');
    process.on('SIGHUP', () => listeners.reloadCertificate());
    stopOnSignals({
      readiness,
      listeners,
      log,
      graceSeconds: config.shutdownGraceSeconds,
      async dispose() {
        await directory[Symbol.asyncDispose]();
        await context[Symbol.asyncDispose]();
      },
    });
  },
};

function listenOptions(config: Config): Omit<ListenOptions, 'log' | 'metrics' | 'readiness'> {
  const { httpHost, httpPort, httpsPort, tlsCertFile, tlsKeyFile, privateHost, privatePort, maxConnections } =
    config;
  const hasTls = httpsPort !== undefined && tlsCertFile !== undefined && tlsKeyFile !== undefined;
  return {
    host: httpHost,
    httpPort,
    https: hasTls ? { port: httpsPort, certFile: tlsCertFile, keyFile: tlsKeyFile } : undefined,
    privateHost,
    privatePort,
    maxConnections,
  };
}
