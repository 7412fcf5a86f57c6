import { api } from '../../app/api.ts';
import type { Config } from '../../app/config.ts';
import { type Context, openContext } from '../../app/context.ts';
import { openBroadcasters } from '../../app/open-broadcasters.ts';
import { openBuckets } from './open-buckets.ts';
import { openHomePlace } from '../../app/open-home-place.ts';
import { openPlayingStore, startPolling } from '../../app/open-playing.ts';
import { openRelayLinks } from '../../app/open-relay-links.ts';
import { noteStrays } from '../../app/note-strays.ts';
import { createServer, type ServerOptions } from '../../app/server.ts';
import { recordSourceOf } from '../../app/settings/source-settings.ts';
import {
  openTraces,
  watchCatalogueHealth,
  watchDirectory,
  watchPool,
  watchProcess,
} from '../../app/watch.ts';
import { BUDGETS, Budgets } from '../../core/accounts/budgets.ts';
import { memberKeys } from '../../core/accounts/keys.ts';
import { openPartnerTable } from '../../core/accounts/partners/partner-table.ts';
import { UnknownPartners } from '../../core/accounts/partners/unknown-partners.ts';
import { purgeDaily } from '../../core/accounts/retention.ts';
import { writeKeyNames } from '../../core/accounts/rotate-key.ts';
import { openDirectory } from '../../core/directory/directory.ts';
import { openOnAirBoard } from '../../core/directory/live/keep-on-air.ts';
import { StreamNews } from '../../core/directory/live/keep-streams.ts';
import { CallerPlaces } from '../../core/places/caller-places.ts';
import { SerialMemory } from '../../core/devices/serial-memory.ts';
import { Radios } from '../../core/devices/radios.ts';
import { Aliases } from '../../core/directory/lookup/by-any-id.ts';
import { DEFAULT_LANGUAGE, wordsFor } from '../../core/i18n/words.ts';
import { ListedSongs } from '../../core/now-playing/listed-songs.ts';
import { PlayingBoard } from '../../core/now-playing/playing-board.ts';
import { songHistory } from '../../core/now-playing/song.ts';
import { SupervisedStore } from '../../core/now-playing/supervised-store.ts';
import type { PlayingStore } from '../../core/now-playing/store.ts';
import { openAddressPlaces } from '../../core/places/address-places.ts';
import { StationStreams } from '../../core/streams/station-streams.ts';
import { systemClock } from '../../lib/clock.ts';
import { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { stopOnSignals } from '../../net/http/graceful-stop.ts';
import { listen, type ListenOptions } from '../../net/http/listen/listen.ts';
import { Metrics } from '../../net/http/metrics.ts';
import { rateLimit } from '../../net/http/caller/rate-limit.ts';
import { Readiness } from '../../net/http/readiness.ts';
import { type ProcessPlace, writePlace } from '../../net/processes/place.ts';
import type { SupervisorLink } from '../../net/processes/supervisor-link.ts';
import { airable } from '../../protocols/airable/airable.ts';
import { gpodder } from '../../protocols/gpodder/gpodder.ts';
import { lists } from '../../protocols/lists/lists.ts';
import { play } from '../../protocols/play/play.ts';
import { radioBrowser } from '../../protocols/radio-browser/radio-browser.ts';
import { registerLine } from '../../protocols/radiotime/account/register-line.ts';
import { noteCalls } from '../../protocols/radiotime/call/note-call.ts';
import { edgeTemplates } from '../../protocols/radiotime/edge/templates.ts';
import { edgeKey, tellEdge } from '../../protocols/radiotime/edge/tell-edge.ts';
import { menuReader } from '../../protocols/radiotime/call/read-menu.ts';
import { soundTouch } from '../../protocols/soundtouch/soundtouch.ts';
import { siteApi } from '../../protocols/site/api/site-api.ts';
import { docs } from '../../protocols/site/pages/docs.ts';
import { site, type SiteDeps, withoutSite } from '../../protocols/site/pages/site.ts';
import { subsonic } from '../../protocols/subsonic/subsonic.ts';
import { vtuner } from '../../protocols/vtuner/vtuner.ts';
import { websub } from '../../protocols/websub/websub.ts';
import { yp } from '../../protocols/yp/yp.ts';
import { refuseOldSchema } from '../../storage/db/migrate.ts';
import { JobMetrics } from '../../workers/runner/due-job.ts';
import { catchUpSearch } from '../catch-up-search.ts';
import { DOCS_FOLDER, SITE_FOLDER } from '../command.ts';
import { onHangup } from '../hangups.ts';
import { END_TURN, SERIAL_SALT, TAKE_TURN } from './supervise-serve.ts';
import { openMembers } from './open-members.ts';
import { openReads } from './open-reads.ts';

/** Where it is one of several processes: its place among them, and the first one, which speaks with all. */
export interface ServeRole extends ProcessPlace {
  link: SupervisorLink;
}

/** A process that answers calls: the only one, or one of several of a machine. */
export async function runServe(settings: Config, role?: ServeRole): Promise<void> {
  await using opened = new AsyncDisposableStack();
  if (role) opened.use(role.link);
  const config = shareOf(settings, role?.of ?? 1);
  const isFirst = (role?.place ?? 0) === 0;
  const { log, pool } = opened.use(
    openContext(config, { name: `serve, ${keyNames(config)}`, isService: true }),
  );
  await refuseOldSchema(pool);
  if (isFirst) catchUpSearch({ pool, log });
  const inTurn = role && (<T>(build: () => Promise<T>) => buildInTurn(role.link, build));
  const directory = opened.use(await openDirectory({ pool, databaseUrl: config.databaseUrl, log, inTurn }));
  const air = { db: pool, directory, clock: systemClock, log };
  const { board: onAirBoard } = opened.use(await openOnAirBoard(air));
  const { board: streamBoard } = opened.use(new StreamNews(air));
  const unknownPartners = opened.use(new UnknownPartners(pool, log));
  const partners = opened.use(await openPartnerTable(pool, log, config.partners, unknownPartners));
  if (isFirst) opened.use(purgeDaily(pool, log));
  const home = opened.use(await openHomePlace({ db: pool, log, setting: config.homePlace }));
  const addressPlaces = opened.use(openAddressPlaces({ database: config.addressDatabase, log }));
  const [metrics, readiness] = [new Metrics(), new Readiness()];
  watchDirectory({ metrics, readiness }, directory, onAirBoard);
  watchPool(metrics, pool, config.databasePoolSize);
  watchProcess(metrics, nameOf(role));
  const reads = openReads(config, { pool, metrics, log }, opened);
  const traces = opened.use(openTraces(config, { metrics, pool, log }));
  const daily = new Set(config.stationSources.map(({ kind, name }) => recordSourceOf(kind, name)));
  if (isFirst) opened.use(watchCatalogueHealth({ metrics, pool, log, daily }));
  const { board: playing, store: playingStore } = await openPlaying(
    config,
    { log, pool, metrics, role },
    opened,
  );
  const listedSongs = opened.use(new ListedSongs({ playing, directory }));
  const aliases = new Aliases(pool);
  const studios = { directory, aliases, db: pool, playing: playingStore, board: playing, log };
  const buckets = await openBuckets(config, { pool, log, role }, opened);
  const fromStudios = opened.use(openBroadcasters({ ...studios, buckets }));
  const budgets = new Budgets(systemClock, BUDGETS, buckets);
  const { diary, accounts, ...members } = await openMembers(config, { log, pool, budgets, buckets }, opened);
  const radios = opened.use(new Radios(pool, log, config.keepCallsHours));
  const { siteHost, publicHosts } = config;
  const relay = await openRelayLinks(config, log, addressPlaces.find, opened);
  const streams = new StationStreams(streamBoard, relay);
  const places = new CallerPlaces(pool, {
    homePlace: () => home.current(),
    placeOfAddress: addressPlaces.find,
  });
  const endpoints = api({
    directory,
    onAirBoard,
    listedSongs,
    streamBoard,
    playing,
    air: fromStudios,
    relay,
    db: pool,
    reads,
    aliases,
    places,
    logoCacheBytes: config.logoCacheMegabytes * 2 ** 20,
    metrics,
    budgets,
    siblings: role?.link,
    ...members,
  });
  const edge = config.edgeKey === undefined ? undefined : edgeKey(config.edgeKey);
  const app = createServer({
    endpoints,
    plainEndpoints: [websub({ db: pool, metrics }), ...fromStudios.plainEndpoints],
    eventEndpoints: fromStudios.eventEndpoints,
    protocols: [
      radioBrowser({ directory, db: pool, streamBoard }),
      play({ directory, db: pool, aliases, streams }),
      ...(config.lists === 'on' ? [lists({ directory, db: pool, aliases, places })] : []),
      ...(config.airable === 'on' ? [airable({ directory, db: pool, aliases, streams, places })] : []),
      ...(config.soundtouch === 'on' ? soundTouch({ directory, db: pool, aliases, places, streams }) : []),
      ...yp(config.yp, { ...studios, listedSongs, clock: systemClock, keepSongs: songHistory(pool) }),
      ...(config.vtuner === 'on'
        ? [vtuner({ directory, db: pool, aliases, places, streams, radios, diary, ...members })]
        : []),
      ...(config.gpodder === 'on' ? [gpodder({ directory, db: pool, accounts })] : []),
      ...(config.subsonic === 'on' ? [subsonic({ directory, db: pool, aliases, places, accounts })] : []),
      ...(edge ? [edgeTemplates({ endpoints, key: edge, menuSeconds: config.edgeMenuSeconds })] : []),
      noteStrays(radios),
    ],
    tellEdge: edge && tellEdge(edge, places),
    siteEndpoints:
      config.site === 'off'
        ? []
        : siteApi({
            directory,
            db: pool,
            reads,
            aliases,
            places,
            playing,
            onAirBoard,
            siteHost,
            publicHosts,
            ...members,
          }),
    noteCall: noteCalls({ radios, diary }),
    ...siteOf(config, {
      directory,
      db: pool,
      aliases,
      read: menuReader(endpoints),
      songOf: (stationId) => playing.songOf(stationId),
    }),
    log,
    metrics,
    readiness,
    maxInFlight: config.maxInFlight,
    menuCacheBytes: config.menuCacheMegabytes * 2 ** 20,
    serials: role && (await openSerials(role.link)),
    rateLimit: rateLimit({
      clock: systemClock,
      metrics,
      callsPerAddress: config.callsPerAddress,
      ...(buckets && { bucketsOf: (kind) => buckets.named(kind) }),
    }),
    publicHosts,
    siteHost,
    trustedProxies: config.trustedProxies,
    traces,
    findPartner: (id) => partners.find(id),
    admitPartner: (id, kind) => partners.admit(id, kind),
  });
  const metricsPage = role?.link.metricsOfAll(metrics);
  const listeners = await listen(app, { ...listenOptions(config), log, metrics, metricsPage, readiness });
  // The first use of Intl names takes a tenth of a second; no caller should wait for it.
  wordsFor(DEFAULT_LANGUAGE);
  readiness.warmed();
  const { stations, version } = directory.current();
  const about = { process: nameOf(role), songsFrom: playingStore.kind, megabytes: residentMegabytes() };
  log.info({ ...listeners, stations: stations.length, version, ...about }, 'serving');
  onHangup(() => {
    listeners.reloadCertificate();
    void addressPlaces.reload();
    void partners.refresh();
  });
  if (!role)
    // Without a listener it would end the process.
    process.on('SIGUSR2', () => log.warn('one process alone cannot replace itself: restart the service'));
  // From here on the graceful stop closes everything, in reverse order; before, the failing start does.
  const kept = opened.move();
  const stop = stopOnSignals({
    readiness,
    listeners,
    log,
    graceSeconds: config.shutdownGraceSeconds,
    dispose: async () => {
      await role?.link.lastReport(await metrics.report());
      await kept.disposeAsync();
    },
  });
  role?.link.begin({
    // The others answer meanwhile, so nobody has to notice first.
    leave: () => stop({ graceSeconds: 0, lingerMs: LEAVE_MS }),
    report: () => metrics.report(),
  });
}

/** How long one that another has replaced still answers on the connections it has, each for the last time. */
const LEAVE_MS = 3000;
/** A process with fewer would keep calls waiting that the others have connections for. */
const MIN_CONNECTIONS = 3;

/** What is meant for the whole service is divided among its processes. */
const shareOf = (config: Config, processes: number): Config => ({
  ...config,
  databasePoolSize: Math.max(
    Math.min(MIN_CONNECTIONS, config.databasePoolSize),
    Math.ceil(config.databasePoolSize / processes),
  ),
  maxConnections: Math.ceil(config.maxConnections / processes),
  maxInFlight: Math.ceil(config.maxInFlight / processes),
});

const nameOf = (role: ServeRole | undefined): string => writePlace(role?.place ?? 0, role?.of ?? 1);

const residentMegabytes = (): number => Math.round(process.memoryUsage.rss() / 2 ** 20);

/** A directory is built in one process after the other: it takes a core, and for a moment twice the memory. */
async function buildInTurn<T>(link: SupervisorLink, build: () => Promise<T>): Promise<T> {
  await link.ask(TAKE_TURN);
  try {
    return await build();
  } finally {
    link.tell(END_TURN);
  }
}

/** What devices called themselves is known to all processes of the machine. */
const openSerials = async (link: SupervisorLink): Promise<SerialMemory> =>
  new SerialMemory(undefined, { salt: String(await link.ask(SERIAL_SALT)), siblings: link });

/** Which keys this server has, for `longwave config rotate-key` to see. */
const keyNames = ({ memberKey, memberKeyOld }: Config): string =>
  writeKeyNames(
    memberKey === undefined
      ? []
      : memberKeys(memberKey, memberKeyOld).all.map(({ fingerprint }) => fingerprint),
  );

/** The site, if enabled. */
const siteOf = (
  { site: wanted, siteHost, registrationUrl }: Config,
  deps: Pick<SiteDeps, 'directory' | 'db' | 'aliases' | 'read' | 'songOf'>,
): Pick<ServerOptions, 'pageEndpoints' | 'sitePath'> =>
  wanted === 'off'
    ? { pageEndpoints: [...withoutSite(registrationUrl, registerLine), ...docs(DOCS_FOLDER)] }
    : {
        pageEndpoints: [
          ...site({ ...deps, siteHost, registrationUrl, registerLine, folder: SITE_FOLDER }),
          ...docs(DOCS_FOLDER),
        ],
        sitePath: '/listen/',
      };

/** Current songs: polled by the workers if Redis is configured, otherwise by the first of these processes, for all of them. */
async function openPlaying(
  { redisUrl, songConcurrency }: Config,
  {
    log,
    pool,
    metrics,
    role,
  }: Pick<Context, 'log' | 'pool'> & { metrics: Metrics; role: ServeRole | undefined },
  opened: AsyncDisposableStack,
): Promise<{ board: PlayingBoard; store: PlayingStore }> {
  const store = opened.use(
    role && redisUrl === undefined
      ? new SupervisedStore(role.link)
      : await openPlayingStore(redisUrl, { pool, log }),
  );
  const board = opened.use(new PlayingBoard({ store, clock: systemClock }));
  metrics.gauge('playing_stations', 'Stations with a known current song', () => board.size, 'max');
  if (store.kind === 'memory' && songConcurrency > 0 && (role?.place ?? 0) === 0) {
    const around = { log, metrics: new JobMetrics(metrics.registry) };
    const fetcher = new SafeFetcher();
    opened.use(startPolling({ ...around, store, pool, fetcher, songConcurrency }));
  }
  return { board, store };
}

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
