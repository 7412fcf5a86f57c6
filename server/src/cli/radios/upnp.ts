import { openContext } from '../../app/context.ts';
import { openHomePlace } from '../../app/open-home-place.ts';
import { openRelayLinks } from '../../app/open-relay-links.ts';
import { openHousePresets } from '../../app/upnp/house-presets.ts';
import { createUpnpServer, udnOf } from '../../app/upnp/upnp-server.ts';
import { watchDirectory, watchPool } from '../../app/watch.ts';
import { openDirectory } from '../../core/directory/directory.ts';
import { StreamNews } from '../../core/directory/live/keep-streams.ts';
import { Aliases } from '../../core/directory/lookup/by-any-id.ts';
import { CallerPlaces } from '../../core/places/caller-places.ts';
import { StationStreams } from '../../core/streams/station-streams.ts';
import { systemClock } from '../../lib/clock.ts';
import { stopOnSignals } from '../../net/http/graceful-stop.ts';
import { listen } from '../../net/http/listen/listen.ts';
import { Metrics } from '../../net/http/metrics.ts';
import { rateLimit } from '../../net/http/caller/rate-limit.ts';
import { Readiness } from '../../net/http/readiness.ts';
import { listLanInterfaces } from '../../net/ssdp/lan-interfaces.ts';
import { SsdpServer } from '../../net/ssdp/ssdp-server.ts';
import { DESCRIPTION_PATH, MEDIA_SERVER, UPNP_SERVICES } from '../../protocols/upnp/descriptions.ts';
import { UPNP_SERVER_NAME } from '../../protocols/upnp/upnp.ts';
import { refuseOldSchema } from '../../storage/db/migrate.ts';
import { type Command, UsageError } from '../command.ts';

/** A house has some dozen devices. */
const MAX_CONNECTIONS = 500;

export const upnpCommand: Command = {
  usage: ['upnp'],
  summary:
    'be a media server in the home network, which receivers, televisions and players find by themselves',
  async run(args, config) {
    if (args.length > 0) throw new UsageError('upnp takes no arguments; its settings begin with UPNP');
    if (config.upnp === 'off')
      throw new Error('UPNP is off; set UPNP=on (docs/upnp.md), on a machine of the home network');
    await using opened = new AsyncDisposableStack();
    const { log, pool } = opened.use(openContext(config, { name: 'upnp', isService: true }));
    await refuseOldSchema(pool);
    const directory = opened.use(await openDirectory({ pool, databaseUrl: config.databaseUrl, log }));
    const { board } = opened.use(new StreamNews({ db: pool, directory, clock: systemClock, log }));
    const [metrics, readiness] = [new Metrics(), new Readiness()];
    watchDirectory({ metrics, readiness }, directory);
    watchPool(metrics, pool, config.databasePoolSize);
    const relay = await openRelayLinks(config, log, () => undefined, opened);
    const udn = udnOf(config);
    const home = opened.use(await openHomePlace({ db: pool, log, setting: config.homePlace }));
    const app = createUpnpServer({
      places: new CallerPlaces(pool, { homePlace: () => home.current() }),
      directory,
      db: pool,
      aliases: new Aliases(pool),
      streams: new StationStreams(board, relay),
      saved: await openHousePresets(config.upnpAccount, pool, directory),
      server: { udn, name: config.upnpName },
      language: config.upnpLanguage,
      logoCacheBytes: config.logoCacheMegabytes * 2 ** 20,
      rateLimit: rateLimit({ clock: systemClock, metrics, callsPerAddress: config.callsPerAddress }),
      log,
      metrics,
      readiness,
    });
    const { privateHost, upnpPrivatePort: privatePort, upnpPort: httpPort } = config;
    const listeners = await listen(app, {
      host: '0.0.0.0',
      httpPort,
      privateHost,
      privatePort,
      maxConnections: MAX_CONNECTIONS,
      log,
      metrics,
      readiness,
    });
    const ssdp = opened.use(
      new SsdpServer({
        device: {
          udn,
          types: [MEDIA_SERVER, ...UPNP_SERVICES.map(({ type }) => type)],
          server: UPNP_SERVER_NAME,
        },
        locationAt: (address) => `http://${address}:${listeners.httpPort}${DESCRIPTION_PATH}`,
        interfaces: () => listLanInterfaces(config.upnpInterfaces),
        clock: systemClock,
        metrics,
        log,
      }),
    );
    await openSsdp(ssdp);
    readiness.warmed();
    const interfaces = ssdp.interfaces.map(({ name, address }) => `${name} ${address}`);
    const ports = { httpPort: listeners.httpPort, privatePort: listeners.privatePort };
    log.info({ ...ports, interfaces, udn, name: config.upnpName }, 'a media server');
    if (interfaces.length === 0)
      log.warn(
        'no interface has a private IPv4 address (or none of UPNP_INTERFACES), so nobody finds this; in a container use the network of the host',
      );
    const kept = opened.move();
    stopOnSignals({ readiness, listeners, log, graceSeconds: 0, dispose: () => kept.disposeAsync() });
  },
};

async function openSsdp(server: SsdpServer): Promise<void> {
  try {
    await server.listen();
  } catch (error) {
    throw new Error(
      'cannot listen on UDP port 1900, by which media servers are found: another program has it and does not share it; stop that, or run longwave upnp elsewhere',
      { cause: error },
    );
  }
}
