import { api } from '../app/api.ts';
import type { Config } from '../app/config.ts';
import { type Context, openContext } from '../app/context.ts';
import { openBroadcasters } from '../app/open-broadcasters.ts';
import { openHomePlace } from '../app/open-home-place.ts';
import { openPlayingStore, startPolling } from '../app/open-playing.ts';
import { openRelayLinks } from '../app/open-relay-links.ts';
import { noteStrays } from '../app/note-strays.ts';
import { createServer, type ServerOptions } from '../app/server.ts';
import { recordSourceOf } from '../app/source-settings.ts';
import { openTraces, watchCatalogueHealth, watchDirectory, watchPool } from '../app/watch.ts';
import { AppLogins } from '../core/accounts/app-passwords/app-logins.ts';
import { Budgets } from '../core/accounts/budgets.ts';
import { DeviceDiary } from '../core/accounts/devices/device-diary.ts';
import { followKeyState, requireSameKey } from '../core/accounts/key-state.ts';
import { memberKeys } from '../core/accounts/keys.ts';
import { PasswordLogins } from '../core/accounts/login/password-logins.ts';
import { Passwords } from '../core/accounts/login/passwords.ts';
import type { MemberAccess } from '../core/accounts/member-access.ts';
import { notifyOfPassword } from '../core/accounts/mail/write-to-owner.ts';
import { openPartnerTable } from '../core/accounts/partners/partner-table.ts';
import { UnknownPartners } from '../core/accounts/partners/unknown-partners.ts';
import { purgeDaily } from '../core/accounts/retention.ts';
import { writeKeyNames } from '../core/accounts/rotate-key.ts';
import { openDirectory } from '../core/directory/directory.ts';
import { openOnAirBoard } from '../core/directory/live/keep-on-air.ts';
import { StreamNews } from '../core/directory/live/keep-streams.ts';
import { CallerPlaces } from '../core/places/caller-places.ts';
import { Radios } from '../core/devices/radios.ts';
import { Aliases } from '../core/directory/lookup/by-any-id.ts';
import { DEFAULT_LANGUAGE, wordsFor } from '../core/i18n/words.ts';
import { ListedSongs } from '../core/now-playing/listed-songs.ts';
import { PlayingBoard } from '../core/now-playing/playing-board.ts';
import { songHistory } from '../core/now-playing/song.ts';
import type { PlayingStore } from '../core/now-playing/store.ts';
import { openAddressPlaces } from '../core/places/address-places.ts';
import { StationStreams } from '../core/streams/station-streams.ts';
import { systemClock } from '../lib/clock.ts';
import { SafeFetcher } from '../net/fetch/fetch-safely.ts';
import { stopOnSignals } from '../net/http/graceful-stop.ts';
import { listen, type ListenOptions } from '../net/http/listen.ts';
import { Metrics } from '../net/http/metrics.ts';
import { rateLimit } from '../net/http/rate-limit.ts';
import { Readiness } from '../net/http/readiness.ts';
import { Mailer } from '../net/mailer.ts';
import type { AccountDeps } from '../protocols/radiotime/account/account.ts';
import { airable } from '../protocols/airable/airable.ts';
import { gpodder } from '../protocols/gpodder/gpodder.ts';
import { lists } from '../protocols/lists/lists.ts';
import { play } from '../protocols/play/play.ts';
import { radioBrowser } from '../protocols/radio-browser/radio-browser.ts';
import { registerLine } from '../protocols/radiotime/account/register-line.ts';
import { noteCalls } from '../protocols/radiotime/call/note-call.ts';
import { soundTouch } from '../protocols/soundtouch/soundtouch.ts';
import { siteApi } from '../protocols/site/api/site-api.ts';
import { docs } from '../protocols/site/pages/docs.ts';
import { site, type SiteDeps, withoutSite } from '../protocols/site/pages/site.ts';
import { subsonic } from '../protocols/subsonic/subsonic.ts';
import { vtuner } from '../protocols/vtuner/vtuner.ts';
import { websub } from '../protocols/websub/websub.ts';
import { yp } from '../protocols/yp/yp.ts';
import { refuseOldSchema } from '../storage/db/migrate.ts';
import { JobMetrics } from '../workers/runner/due-job.ts';
import { catchUpSearch } from './catch-up-search.ts';
import { type Command, DOCS_FOLDER, SITE_FOLDER } from './command.ts';
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
  },
};

/** Which keys this server has, for `longwave config rotate-key` to see. */
const keyNames = ({ memberKey, memberKeyOld }: Config): string =>
  writeKeyNames(
    memberKey === undefined
      ? []
      : memberKeys(memberKey, memberKeyOld).all.map(({ fingerprint }) => fingerprint),
  );

/** Account dependencies shared by the protocol and the site. */
type MemberDeps = AccountDeps & { budgets?: Budgets; diary?: DeviceDiary; accounts?: AppAccounts };
/** What apps sign in to. */
type AppAccounts = Pick<MemberAccess, 'pool' | 'legacyCredentials'> & { apps: AppLogins };

/** Undefined without MEMBER_KEY: the service then has no accounts, and says so when asked for one. */
async function openMembers(
  config: Config,
  { log, pool }: Pick<Context, 'log' | 'pool'>,
  opened: AsyncDisposableStack,
): Promise<MemberDeps> {
  const { memberKey, memberKeyOld, mailUrl, mailFrom } = config;
  if (memberKey === undefined) return {};
  const keys = memberKeys(memberKey, memberKeyOld);
  await requireSameKey(pool, keys);
  opened.use(followKeyState(pool, keys, log));
  const passwords = opened.use(new Passwords({ keys }));
  await passwords.prepare();
  const isMailed = mailUrl !== undefined && mailFrom !== undefined;
  const mailer = isMailed ? opened.use(new Mailer({ url: mailUrl, from: mailFrom, log })) : undefined;
  const budgets = new Budgets(systemClock);
  const forgottenPage = forgottenPageOf(config);
  const onChanged = (id: number): void =>
    notifyOfPassword({ db: pool, mailer, budgets }, { id, language: DEFAULT_LANGUAGE, forgottenPage });
  const logins = new PasswordLogins({ pool, keys, clock: systemClock, passwords, onChanged });
  const legacyCredentials = config.legacyCredentials === 'allow';
  if (legacyCredentials)
    log.warn('LEGACY_CREDENTIALS=allow: passwords are accepted unencrypted; use it only in a home network');
  const diary = opened.use(new DeviceDiary(pool, log, keys));
  const homeSignIn = config.homeSignIn === 'allow';
  const apps = new AppLogins({ db: pool, keys, clock: systemClock });
  const members = { pool, keys, logins, legacyCredentials, homeSignIn };
  return { members, accounts: { pool, apps, legacyCredentials }, passwords, mailer, budgets, diary };
}

/** The page that mailed reset links lead to; undefined when the site sends none. */
function forgottenPageOf({
  site: wanted,
  siteHost,
  publicHosts,
  legacyCredentials,
}: Config): string | undefined {
  const host = wanted === 'off' ? undefined : (siteHost ?? publicHosts[0]);
  // Without TLS these pages exist only where passwords in the clear are allowed.
  const scheme = legacyCredentials === 'allow' ? 'http' : 'https';
  return host === undefined ? undefined : `${scheme}://${host}/listen/forgotten`;
}

/** The site, if enabled. */
const siteOf = (
  { site: wanted, siteHost, registrationUrl }: Config,
  deps: Pick<SiteDeps, 'directory' | 'db'>,
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

/** Current songs: polled by the workers if Redis is configured, otherwise by this process. */
async function openPlaying(
  { redisUrl, songConcurrency }: Config,
  { log, pool, metrics }: Pick<Context, 'log' | 'pool'> & { metrics: Metrics },
  opened: AsyncDisposableStack,
): Promise<{ board: PlayingBoard; store: PlayingStore }> {
  const store = opened.use(await openPlayingStore(redisUrl, { pool, log }));
  const board = opened.use(new PlayingBoard({ store, clock: systemClock }));
  metrics.gauge('playing_stations', 'Stations with a known current song', () => board.size);
  if (store.kind === 'memory' && songConcurrency > 0) {
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
