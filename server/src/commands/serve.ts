import type { AccountNeeds } from '../account/account.ts';
import { openAir } from '../air/air.ts';
import type { Config } from '../config.ts';
import { api } from '../api.ts';
import { findHomePlace } from '../catalog/home-place.ts';
import { type Context, openContext } from '../context.ts';
import { refuseOldSchema } from '../db/migrate.ts';
import { Aliases } from '../directory/aliases.ts';
import { type Directory, openDirectory } from '../directory/directory.ts';
import { openOnAirBoard } from '../directory/keep-on-air.ts';
import { StreamNews } from '../directory/keep-streams.ts';
import type { OnAirBoard } from '../directory/on-air-board.ts';
import { openAddressPlaces } from '../geoip/address-places.ts';
import { admission } from '../http/admission.ts';
import { stopOnSignals } from '../http/graceful-stop.ts';
import { listen, type ListenOptions } from '../http/listen.ts';
import { Metrics } from '../http/metrics.ts';
import { type NoteCall, noteCalls } from '../http/note-call.ts';
import { Budgets } from '../members/budgets.ts';
import { DeviceDiary } from '../members/device-diary.ts';
import { forgetDaily } from '../members/forget-daily.ts';
import { memberKeys } from '../members/keys.ts';
import { requireSameKey } from '../members/member-key.ts';
import { PasswordLogins } from '../members/password-logins.ts';
import { Passwords } from '../members/passwords.ts';
import { openPartnerTable } from '../members/partner-table.ts';
import { tellOfPassword } from '../members/tell-owner.ts';
import { Readiness } from '../http/readiness.ts';
import { type ServerOptions, createServer } from '../http/server.ts';
import { JobMetrics } from '../jobs/job-metrics.ts';
import { systemClock } from '../lib/clock.ts';
import { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { Post } from '../lib/post.ts';
import { openPlayingStore, startPolling } from '../open-playing.ts';
import { ListedSongs } from '../playing/listed-songs.ts';
import { PlayingBoard } from '../playing/playing-board.ts';
import type { PlayingStore } from '../playing/store.ts';
import { type SiteNeeds, site, withoutSite } from '../site/site.ts';
import { siteApi } from '../site-api/site-api.ts';
import { websub } from '../websub/websub.ts';
import { DEFAULT_LANGUAGE, wordsFor } from '../words/words.ts';
import { catchUpSearch } from './catch-up-search.ts';
import type { Command } from './command.ts';
import { onHangup } from './hangups.ts';
import { SITE_FOLDER } from './site-folder.ts';

export const serveCommand: Command = {
  usage: ['serve'],
  summary: 'answer radios',
  async run(_args, config) {
    await using opened = new AsyncDisposableStack();
    const { log, pool } = opened.use(openContext(config, { name: 'serve' }));
    await refuseOldSchema(pool);
    catchUpSearch({ pool, log });
    const directory = opened.use(await openDirectory({ pool, databaseUrl: config.databaseUrl, log }));
    const air = { db: pool, directory, clock: systemClock, log };
    const { board: onAirBoard } = opened.use(await openOnAirBoard(air));
    const { board: streamBoard } = opened.use(new StreamNews(air));
    const partners = opened.use(await openPartnerTable(pool, log, config.partners));
    opened.use(forgetDaily(pool, log));
    const homePlace =
      config.homePlace === undefined ? undefined : await findHomePlace(pool, config.homePlace);
    const addressPlaces = opened.use(openAddressPlaces({ database: config.addressDatabase, log }));
    const { metrics, readiness } = watched(directory, onAirBoard);
    const { board: playing, store: playingStore } = await openPlaying(config, { log, pool, metrics }, opened);
    const listedSongs = opened.use(new ListedSongs({ playing, directory }));
    const aliases = new Aliases(pool);
    const studios = { directory, aliases, db: pool, playing: playingStore, board: playing, log };
    const fromStudios = opened.use(openAir(studios));
    const members = await openMembers(config, { log, pool }, opened);
    const { siteHost, publicHosts } = config;
    const app = createServer({
      endpoints: api({
        directory,
        onAirBoard,
        listedSongs,
        streamBoard,
        playing,
        air: fromStudios,
        db: pool,
        aliases,
        homePlace,
        placeOfAddress: addressPlaces.find,
        logoCacheBytes: config.logoCacheMegabytes * 2 ** 20,
        ...members,
      }),
      plainEndpoints: [websub({ db: pool, metrics }), ...fromStudios.plainEndpoints],
      eventEndpoints: fromStudios.eventEndpoints,
      siteEndpoints:
        config.site === 'off'
          ? []
          : siteApi({ directory, db: pool, aliases, siteHost, publicHosts, ...members }),
      noteCall: members.noteCall,
      ...siteOf(config, { directory, db: pool }),
      log,
      metrics,
      readiness,
      maxInFlight: config.maxInFlight,
      menuCacheBytes: config.menuCacheMegabytes * 2 ** 20,
      admit: admission({ clock: systemClock, metrics, callsPerAddress: config.callsPerAddress }),
      publicHosts,
      siteHost,
      trustedProxies: config.trustedProxies,
      findPartner: (id) => partners.find(id),
      admitPartner: (id) => partners.admit(id),
    });
    const listeners = await listen(app, { ...listenOptions(config), log, metrics, readiness });
    // The first use of the runtime's own names takes a tenth of a second; no caller should wait for it.
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

/** What calls of the protocol and of the site share about accounts. */
type MemberNeeds = AccountNeeds & { budgets?: Budgets; noteCall?: NoteCall };

/** Nothing without a key: the service then has no accounts, and says so to who asks for one. */
async function openMembers(
  config: Config,
  { log, pool }: Pick<Context, 'log' | 'pool'>,
  opened: AsyncDisposableStack,
): Promise<MemberNeeds> {
  const { memberKey, mailUrl, mailFrom } = config;
  if (memberKey === undefined) return {};
  const keys = memberKeys(memberKey);
  await requireSameKey(pool, keys);
  const passwords = opened.use(new Passwords({ keys }));
  await passwords.prepare();
  const isMailed = mailUrl !== undefined && mailFrom !== undefined;
  const post = isMailed ? opened.use(new Post({ url: mailUrl, from: mailFrom, log })) : undefined;
  const budgets = new Budgets(systemClock);
  const forgottenPage = forgottenPageOf(config);
  const onChanged = (id: number): void =>
    tellOfPassword({ db: pool, post, budgets }, { id, language: DEFAULT_LANGUAGE, forgottenPage });
  const logins = new PasswordLogins({ pool, keys, clock: systemClock, passwords, onChanged });
  const legacyCredentials = config.legacyCredentials === 'allow';
  if (legacyCredentials)
    log.warn('LEGACY_CREDENTIALS=allow: passwords are taken in the clear; only for a home network');
  const noteCall = noteCalls(opened.use(new DeviceDiary(pool, log, keys)));
  return { doors: { pool, keys, logins, legacyCredentials }, passwords, post, budgets, noteCall };
}

/** Where the site mails links to who forgot a password; undefined where it does not. */
function forgottenPageOf({
  site: wanted,
  siteHost,
  publicHosts,
  legacyCredentials,
}: Config): string | undefined {
  const host = wanted === 'off' ? undefined : (siteHost ?? publicHosts[0]);
  // Only who takes passwords in the clear has pages for them without TLS.
  const scheme = legacyCredentials === 'allow' ? 'http' : 'https';
  return host === undefined ? undefined : `${scheme}://${host}/listen/forgotten`;
}

/** The site for people, where the operator wants one. */
const siteOf = (
  { site: wanted, siteHost, registrationUrl }: Config,
  needs: Pick<SiteNeeds, 'directory' | 'db'>,
): Pick<ServerOptions, 'pageEndpoints' | 'sitePath'> =>
  wanted === 'off'
    ? { pageEndpoints: withoutSite(registrationUrl) }
    : {
        pageEndpoints: site({ ...needs, siteHost, registrationUrl, folder: SITE_FOLDER }),
        sitePath: '/listen/',
      };

/** What stations play: found out by the workers where there is Redis, else by this process. */
async function openPlaying(
  { redisUrl, stationsAtOnce }: Config,
  { log, pool, metrics }: Pick<Context, 'log' | 'pool'> & { metrics: Metrics },
  opened: AsyncDisposableStack,
): Promise<{ board: PlayingBoard; store: PlayingStore }> {
  const store = opened.use(await openPlayingStore(redisUrl, { pool, log }));
  const board = opened.use(new PlayingBoard({ store, clock: systemClock }));
  metrics.gauge('playing_stations', 'Stations that are shown with the song they play', () => board.size);
  if (store.kind === 'memory' && stationsAtOnce > 0) {
    const around = { log, metrics: new JobMetrics(metrics.registry) };
    const fetcher = new SafeFetcher();
    opened.use(startPolling({ ...around, store, pool, fetcher, stationsAtOnce }));
  }
  return { board, store };
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
