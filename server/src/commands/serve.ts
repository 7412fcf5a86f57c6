import type { AccountNeeds } from '../account/account.ts';
import type { Config } from '../config.ts';
import { api } from '../api.ts';
import { findHomePlace } from '../catalog/home-place.ts';
import { type Context, openContext } from '../context.ts';
import { refuseOldSchema } from '../db/migrate.ts';
import { Aliases } from '../directory/aliases.ts';
import { type Directory, openDirectory } from '../directory/directory.ts';
import { openOnAirBoard } from '../directory/keep-on-air.ts';
import type { OnAirBoard } from '../directory/on-air-board.ts';
import { openAddressPlaces } from '../geoip/address-places.ts';
import { admission } from '../http/admission.ts';
import { stopOnSignals } from '../http/graceful-stop.ts';
import { listen, type ListenOptions } from '../http/listen.ts';
import { Metrics } from '../http/metrics.ts';
import { forgetDaily } from '../members/forget-daily.ts';
import { memberKeys } from '../members/keys.ts';
import { requireSameKey } from '../members/member-key.ts';
import { PasswordLogins } from '../members/password-logins.ts';
import { Passwords } from '../members/passwords.ts';
import { openPartnerTable } from '../members/partner-table.ts';
import { Readiness } from '../http/readiness.ts';
import { createServer } from '../http/server.ts';
import { systemClock } from '../lib/clock.ts';
import { Post } from '../lib/post.ts';
import { websub } from '../websub/websub.ts';
import { DEFAULT_LANGUAGE, wordsFor } from '../words/words.ts';
import type { Command } from './command.ts';

export const serveCommand: Command = {
  usage: ['serve'],
  summary: 'answer radios',
  async run(_args, config) {
    await using opened = new AsyncDisposableStack();
    const { log, pool } = opened.use(openContext(config, { name: 'serve' }));
    await refuseOldSchema(pool);
    const directory = opened.use(await openDirectory({ pool, databaseUrl: config.databaseUrl, log }));
    const air = { db: pool, directory, clock: systemClock, log };
    const { board: onAirBoard } = opened.use(await openOnAirBoard(air));
    const partners = opened.use(await openPartnerTable(pool, log));
    const homePlace =
      config.homePlace === undefined ? undefined : await findHomePlace(pool, config.homePlace);
    const addressPlaces = opened.use(openAddressPlaces({ database: config.addressDatabase, log }));
    const { metrics, readiness } = watched(directory, onAirBoard);
    const aliases = new Aliases(pool);
    const app = createServer({
      endpoints: api({
        directory,
        onAirBoard,
        db: pool,
        aliases,
        homePlace,
        placeOfAddress: addressPlaces.find,
        registrationUrl: config.registrationUrl,
        ...(await openMembers(config, { log, pool }, opened)),
      }),
      plainEndpoints: [websub({ db: pool, metrics })],
      log,
      metrics,
      readiness,
      maxInFlight: config.maxInFlight,
      menuCacheBytes: config.menuCacheMegabytes * 2 ** 20,
      admit: admission({ clock: systemClock, metrics, callsPerAddress: config.callsPerAddress }),
      publicHosts: config.publicHosts,
      trustedProxies: config.trustedProxies,
      findPartner: (id) => partners.find(id),
    });
    const listeners = await listen(app, { ...listenOptions(config), log, metrics, readiness });
    // The first use of the runtime's own names takes a tenth of a second; no caller should wait for it.
    wordsFor(DEFAULT_LANGUAGE);
    readiness.warmed();
    const { stations, version } = directory.current();
    log.info({ ...listeners, stations: stations.length, version }, 'serving');
    process.on('SIGHUP', () => {
      listeners.reloadCertificate();
      void addressPlaces.reload();
      void partners.refresh();
    });
    // From here on what was opened is closed by the stop, in reverse order; before, by whatever went wrong.
    const kept = opened.move();
    stopOnSignals({
      readiness,
      listeners,
      log,
      graceSeconds: config.shutdownGraceSeconds,
      dispose: () => kept.disposeAsync(),
    });
  },
};

/** Nothing without a key: the service then has no accounts, and says so to who asks for one. */
async function openMembers(
  config: Config,
  { log, pool }: Pick<Context, 'log' | 'pool'>,
  opened: AsyncDisposableStack,
): Promise<AccountNeeds> {
  const { memberKey, mailUrl, mailFrom } = config;
  if (memberKey === undefined) return {};
  const keys = memberKeys(memberKey);
  await requireSameKey(pool, keys);
  const passwords = opened.use(new Passwords({ keys }));
  await passwords.prepare();
  opened.use(forgetDaily(pool, log));
  const isMailed = mailUrl !== undefined && mailFrom !== undefined;
  const post = isMailed ? opened.use(new Post({ url: mailUrl, from: mailFrom, log })) : undefined;
  const logins = new PasswordLogins({ pool, keys, clock: systemClock, passwords });
  const legacyCredentials = config.legacyCredentials === 'allow';
  if (legacyCredentials)
    log.warn('LEGACY_CREDENTIALS=allow: passwords are taken in the clear; only for a home network');
  return { doors: { pool, keys, logins, legacyCredentials }, passwords, post };
}

/** What the operator is told about the directory. */
function watched(directory: Directory, board: OnAirBoard): { metrics: Metrics; readiness: Readiness } {
  const metrics = new Metrics();
  const readiness = new Readiness();
  const current = () => directory.current();
  readiness.watch('database', () => directory.isKeptNew());
  metrics.gauge('directory_version', 'The catalogue version shown', () => current().version);
  metrics.gauge('directory_stations', 'Stations in the directory', () => current().stations.length);
  metrics.gauge(
    'on_air_stations',
    'Stations that are shown with the show they have on air',
    () => board.size,
  );
  return { metrics, readiness };
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
