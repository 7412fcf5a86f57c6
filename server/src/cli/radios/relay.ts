import type { Config } from '../../app/config.ts';
import { type Context, openContext } from '../../app/context.ts';
import { openRelayKeys } from '../../app/open-relay-links.ts';
import { watchPool } from '../../app/watch.ts';
import type { RelayKeys } from '../../core/streams/relay/relay-address.ts';
import { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { isHomeAddress } from '../../net/dns/own-addresses.ts';
import { stopOnSignals } from '../../net/http/graceful-stop.ts';
import { listenPrivately } from '../../net/http/listen.ts';
import { Metrics } from '../../net/http/metrics.ts';
import { Readiness } from '../../net/http/readiness.ts';
import { ReadThrough } from '../../storage/cache/read-through.ts';
import { findStreamToRelay, type StreamToRelay } from '../../storage/catalog/streams/relayed-stream.ts';
import { refuseOldSchema } from '../../storage/db/migrate.ts';
import { RelayMetrics } from '../../workers/relay/relay-metrics.ts';
import { RelayServer } from '../../workers/relay/relay-server.ts';
import { type Command, UsageError } from '../command.ts';

/** How long a listener waits at most for what has arrived: heard by nobody, and each write saved is work saved. */
const TICK_MS = 400;
/** Streams whose addresses are kept, so that the music goes on without the database. */
const KEPT = { most: 20_000, freshMs: 60_000, staleMs: 3_600_000 };

export const relayCommand: Command = {
  usage: ['relay'],
  summary: 'send stations on to radios that cannot play them: HTTPS as plain HTTP, HLS as one stream',
  async run(args, config) {
    if (args.length > 0) throw new UsageError('relay takes no arguments; its settings begin with RELAY');
    const keys = openRelayKeys(config);
    if (!keys) throw new Error('RELAY is off; set RELAY=home for `longwave relay` and `longwave serve`');
    await using opened = new AsyncDisposableStack();
    const context = opened.use(openContext(config, { name: 'relay', isService: true }));
    const { log, pool } = context;
    await refuseOldSchema(pool);
    const [metrics, readiness] = [new Metrics(), new Readiness()];
    watchPool(metrics, pool, config.databasePoolSize);
    const server = opened.use(openRelay(keys, config, context, metrics, readiness));
    const relayPort = await server.listen(config.relayPort, config.httpHost);
    const { privateHost, relayPrivatePort: privatePort } = config;
    const inner = await listenPrivately({ privateHost, privatePort, readiness, metrics });
    readiness.warmed();
    log.info({ relayPort, privatePort: inner.privatePort, listeners: config.relayListeners }, 'relaying');
    const kept = opened.move();
    stopOnSignals({
      readiness,
      listeners: inner,
      log,
      graceSeconds: config.shutdownGraceSeconds,
      dispose: () => kept.disposeAsync(),
    });
  },
};

function openRelay(
  keys: RelayKeys,
  config: Config,
  { pool, log }: Pick<Context, 'pool' | 'log'>,
  metrics: Metrics,
  readiness: Readiness,
): RelayServer {
  const { relayListeners: most } = config;
  const streams = new ReadThrough<StreamToRelay | undefined>({
    ...KEPT,
    load: (id) => findStreamToRelay(pool, Number(id)),
  });
  return new RelayServer({
    keys,
    // A house listens to one station in every room.
    fetcher: new SafeFetcher({ limits: { host: most, network: most, all: most, lookups: most } }),
    findStream: (id) => streams.get(String(id)),
    isServed: isHomeAddress,
    trustedProxies: config.trustedProxies,
    isShared: config.relayConnections === 'shared',
    limits: { listeners: most, perAddress: config.relayPerAddress },
    tickMs: TICK_MS,
    isReady: () => readiness.ready().status === 200,
    metrics: new RelayMetrics(metrics),
    log,
  });
}
