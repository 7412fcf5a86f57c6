import type { Config } from '../../app/config.ts';
import { type Context, openContext } from '../../app/context.ts';
import { watchPool } from '../../app/watch.ts';
import { inCountry } from '../../app/open-relay-links.ts';
import { type AddressPlaces, openAddressPlaces } from '../../core/places/address-places.ts';
import type { RelayKeys } from '../../core/streams/relay/relay-address.ts';
import type { Log } from '../../lib/log.ts';
import { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { isHomeAddress } from '../../net/dns/own-addresses.ts';
import { stopOnSignals } from '../../net/http/graceful-stop.ts';
import { listenPrivately } from '../../net/http/listen/listen.ts';
import { Metrics } from '../../net/http/metrics.ts';
import { Readiness } from '../../net/http/readiness.ts';
import { type ProcessPlace, writePlace } from '../../net/processes/place.ts';
import { SupervisorLink } from '../../net/processes/supervisor-link.ts';
import { ReadThrough } from '../../storage/cache/read-through.ts';
import { findStreamToRelay, type StreamToRelay } from '../../storage/catalog/streams/relayed-stream.ts';
import { refuseOldSchema } from '../../storage/db/migrate.ts';
import { rendezvous } from '../../lib/rendezvous.ts';
import type { AdmissionLimits } from '../../workers/relay/admission.ts';
import { RelayLink } from '../../workers/relay/processes/relay-link.ts';
import { requireFfmpeg } from '../../workers/relay/converter.ts';
import { ListeningCounts } from '../../workers/relay/listening-counts.ts';
import { RelayMetrics } from '../../workers/relay/relay-metrics.ts';
import { RelayServer } from '../../workers/relay/relay-server.ts';
import { Robots } from '../../workers/relay/upstream/robots.ts';

/** How long a listener waits at most for what has arrived: heard by nobody, and each write saved is work saved. */
const TICK_MS = 400;
/** Streams whose addresses are kept, so that the music goes on without the database. */
const KEPT = { most: 20_000, freshMs: 60_000, staleMs: 3_600_000 };

/** A process of a relay that is at work: docs/relay.md. */
export async function runRelay(keys: RelayKeys, config: Config, role: RelayRole): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const supervisor = opened.use(new SupervisorLink());
  const link = new RelayLink(supervisor);
  // All of them together have as many as one service has.
  const databasePoolSize = Math.ceil(config.databasePoolSize / (role.place?.of ?? 1));
  const context = opened.use(
    openContext({ ...config, databasePoolSize }, { name: 'relay', isService: true }),
  );
  const { log, pool } = context;
  await refuseOldSchema(pool);
  if (config.relayConversions > 0) await requireFfmpeg();
  const [metrics, readiness] = [new Metrics(), new Readiness()];
  watchPool(metrics, pool, databasePoolSize);
  const placeOf = await openPlaces(config, log, opened);
  const countryOf = (address: string): string | undefined => placeOf?.(address)?.countryCode;
  const counts = opened.use(new ListeningCounts({ db: pool, log, countryOf }));
  const parts = { pool, log, metrics, readiness, placeOf, counts, link };
  const server = opened.use(openRelay(keys, config, role, parts));
  const relayPort = await server.listen(config.relayPort, config.httpHost);
  const { privateHost, relayPrivatePort: privatePort } = config;
  // Whichever process is asked speaks for all of them.
  const ofAll = role.place ? supervisor.metricsOfAll(metrics) : metrics;
  const inner = await listenPrivately({ privateHost, privatePort, readiness, metrics: ofAll });
  readiness.warmed();
  log.info(
    { relayPort, privatePort: inner.privatePort, listeners: config.relayListeners, process: nameOf(role) },
    'relaying',
  );
  const kept = opened.move();
  stopOnSignals({
    readiness,
    listeners: inner,
    log,
    graceSeconds: config.shutdownGraceSeconds,
    dispose: () => kept.disposeAsync(),
  });
  // Meant for the first process; a terminal sends it to all.
  process.on('SIGHUP', () => undefined);
  link.begin({
    leave: () => void leave(),
    adopt: (listener, socket) => void server.adopt(listener, socket),
    answer: (call, socket) => void server.answer(call, socket),
    report: () => metrics.report(),
  });

  async function leave(): Promise<void> {
    readiness.drain();
    await server.handOver((listener, socket) => link.give(listener, socket));
    log.info('another process has taken over');
    await supervisor.lastReport(await metrics.report());
    await inner.close(0);
    await kept.disposeAsync();
    process.disconnect?.();
  }
}

/** What the first process says of one at work. */
export interface RelayRole {
  limits: AdmissionLimits;
  /** Undefined where the first process is of a release that has one process at work. */
  place: ProcessPlace | undefined;
}

const nameOf = ({ place }: RelayRole): string => writePlace(place?.place ?? 0, place?.of ?? 1);

/** Where listeners are, if they may be anywhere. Loaded first: nobody is to be taken for a stranger. */
async function openPlaces(
  config: Config,
  log: Log,
  opened: AsyncDisposableStack,
): Promise<RelayParts['placeOf']> {
  if (config.relay !== 'partners') return undefined;
  const places = opened.use(openAddressPlaces({ database: config.addressDatabase, log }));
  await places.reload();
  return places.find;
}

interface RelayParts extends Pick<Context, 'pool' | 'log'> {
  metrics: Metrics;
  readiness: Readiness;
  placeOf: AddressPlaces['find'] | undefined;
  counts: ListeningCounts;
  link: RelayLink;
}

function openRelay(
  keys: RelayKeys,
  config: Config,
  { limits, place }: RelayRole,
  { pool, log, metrics, readiness, placeOf, counts, link }: RelayParts,
): RelayServer {
  const { relayListeners: most } = config;
  const streams = new ReadThrough<StreamToRelay | undefined>({
    ...KEPT,
    load: (id) => findStreamToRelay(pool, Number(id)),
  });
  // A house listens to one station in every room.
  const fetcher = new SafeFetcher({ limits: { host: most, network: most, all: most, lookups: most } });
  const robots = new Robots(fetcher);
  return new RelayServer({
    keys,
    fetcher,
    isAllowed: (address) => robots.allow(address),
    findStream: (id) => streams.get(String(id)),
    isHome: isHomeAddress,
    isInCountry: placeOf && inCountry(config.relayCountry, placeOf),
    count: (stationId, peer, isNew) => counts.begin(stationId, peer, isNew),
    trustedProxies: config.trustedProxies,
    isShared: config.relayConnections === 'shared',
    limits,
    ...(place && {
      places: link,
      passOn: (call, socket) => {
        const owner =
          rendezvous(call.streamId, Array.from({ length: place.of }).keys().toArray(), String) ?? 0;
        if (owner !== place.place) void link.passOn(call, owner, socket);
        return owner !== place.place;
      },
    }),
    tickMs: TICK_MS,
    isReady: () => readiness.ready().status === 200,
    metrics: new RelayMetrics(metrics),
    log,
  });
}
