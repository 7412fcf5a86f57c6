import cluster from 'node:cluster';
import { createLog } from '../lib/log.ts';
import { parsePlace } from '../net/processes/place.ts';
import { SupervisorLink } from '../net/processes/supervisor-link.ts';
import { type Command, UsageError } from './command.ts';
import { onHangup } from './hangups.ts';

export const serveCommand: Command = {
  usage: ['serve'],
  summary: 'run the server for radios and the site',
  async run(_args, config) {
    await using opened = new AsyncDisposableStack();
    const { log, pool } = opened.use(
      openContext(config, { name: `serve, ${keyNames(config)}`, isService: true }),
    );
    await refuseOldSchema(pool);
    catchUpSearch({ pool, log });
    const directory = opened.use(await openDirectory({ pool, databaseUrl: config.databaseUrl, log }));
    const air = { db: pool, directory, clock: systemClock, log };
    const { board: onAirBoard } = opened.use(await openOnAirBoard(air));
    const { board: streamBoard } = opened.use(new StreamNews(air));
    const unknownPartners = opened.use(new UnknownPartners(pool, log));
    const partners = opened.use(await openPartnerTable(pool, log, config.partners, unknownPartners));
    opened.use(purgeDaily(pool, log));
    const home = opened.use(await openHomePlace({ db: pool, log, setting: config.homePlace }));
    const addressPlaces = opened.use(openAddressPlaces({ database: config.addressDatabase, log }));
    const [metrics, readiness] = [new Metrics(), new Readiness()];
    watchDirectory({ metrics, readiness }, directory, onAirBoard);
    watchPool(metrics, pool, config.databasePoolSize);
    const traces = opened.use(openTraces(config, { metrics, pool, log }));
    const daily = new Set(config.stationSources.map(({ kind, name }) => recordSourceOf(kind, name)));
    opened.use(watchCatalogueHealth({ metrics, pool, log, daily }));
    const { board: playing, store: playingStore } = await openPlaying(config, { log, pool, metrics }, opened);
    const listedSongs = opened.use(new ListedSongs({ playing, directory }));
    const aliases = new Aliases(pool);
    const studios = { directory, aliases, db: pool, playing: playingStore, board: playing, log };
    const fromStudios = opened.use(openBroadcasters(studios));
    const { diary, accounts, ...members } = await openMembers(config, { log, pool }, opened);
    const radios = opened.use(new Radios(pool, log, config.keepCallsHours));
    const { siteHost, publicHosts } = config;
    const relay = await openRelayLinks(config, log, addressPlaces.find, opened);
    const streams = new StationStreams(streamBoard, relay);
    const places = new CallerPlaces(pool, {
      homePlace: () => home.current(),
      placeOfAddress: addressPlaces.find,
    });
    const app = createServer({
      endpoints: api({
        directory,
        onAirBoard,
        listedSongs,
        streamBoard,
        playing,
        air: fromStudios,
        relay,
        db: pool,
        aliases,
        places,
        logoCacheBytes: config.logoCacheMegabytes * 2 ** 20,
        metrics,
        ...members,
      }),
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
        noteStrays(radios),
      ],
      siteEndpoints:
        config.site === 'off'
          ? []
          : siteApi({
              directory,
              db: pool,
              aliases,
              places,
              playing,
              onAirBoard,
              siteHost,
              publicHosts,
              ...members,
            }),
      noteCall: noteCalls({ radios, diary }),
      ...siteOf(config, { directory, db: pool }),
      log,
      metrics,
      readiness,
      maxInFlight: config.maxInFlight,
      menuCacheBytes: config.menuCacheMegabytes * 2 ** 20,
      rateLimit: rateLimit({ clock: systemClock, metrics, callsPerAddress: config.callsPerAddress }),
      publicHosts,
      siteHost,
      trustedProxies: config.trustedProxies,
      traces,
      findPartner: (id) => partners.find(id),
      admitPartner: (id, kind) => partners.admit(id, kind),
    });
    const listeners = await listen(app, { ...listenOptions(config), log, metrics, readiness });
    // The first use of Intl names takes a tenth of a second; no caller should wait for it.
    wordsFor(DEFAULT_LANGUAGE);
    readiness.warmed();
    const { stations, version } = directory.current();
    const songsFrom = playingStore.kind;
    log.info({ ...listeners, stations: stations.length, version, songsFrom }, 'serving');
    onHangup(() => {
      listeners.reloadCertificate();
      void addressPlaces.reload();
      void partners.refresh();
    });
    // From here on the graceful stop closes everything, in reverse order; before, the failing start does.
    const kept = opened.move();
    stopOnSignals({
      readiness,
      listeners,
      log,
      graceSeconds: config.shutdownGraceSeconds,
      dispose: () => kept.disposeAsync(),
    });
  async run(args, config) {
    // One of several processes is told its place.
    const place = cluster.isWorker ? parsePlace(args[0] ?? '') : undefined;
    if (args.length > 0 && !place)
      throw new UsageError('serve takes no arguments; docs/configuration.md has its settings');
    const processes = config.serveProcesses ?? 1;
    if (cluster.isPrimary && processes > 1) {
      const { superviseServe } = await import('./serve/supervise-serve.ts');
      const supervisor = superviseServe(processes, createLog({ level: config.logLevel }));
      onHangup(() => supervisor.signal('SIGHUP'));
      return;
    }
    // Imported late: the first of several processes needs none of it.
    const { runServe } = await import('./serve/run-serve.ts');
    await runServe(config, place && { ...place, link: new SupervisorLink() });
  },
};
