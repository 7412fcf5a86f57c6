import { accessSync, constants } from 'node:fs';
import { LRUCache } from 'lru-cache';
import type { Log } from '../lib/log.ts';
import { parsePublicAddress } from '../lib/public-address.ts';
import { AddressFile } from './address-file.ts';
import { type DatabasePaths, databasePaths } from './database-paths.ts';
import { type AddressPlace, readPlace } from './read-place.ts';

/** Where the internet's addresses are, by a database in memory; nobody is asked over the network. */
export interface AddressPlaces extends AsyncDisposable {
  /** Undefined for what is private, unknown or no address, and for all until the database is read. */
  find: (address: string) => AddressPlace | undefined;
  /** Reads the database again, as on SIGHUP; a change of the file is also noticed within a minute. */
  reload: () => Promise<void>;
}

export interface AddressPlacesOptions {
  /** The path of an .mmdb file, `none`, or undefined for the packaged database where it is installed. */
  database: string | undefined;
  log: Log;
  checkEveryMs?: number;
}

/** Files are looked at by the clock: an updater that moves a new one into place escapes a file watch. */
const CHECK_EVERY_MS = 60_000;

/** A listener's calls come one after the other from one address, and looking it up takes longer than a menu. */
const MOST_REMEMBERED = 10_000;

interface Looked {
  place: AddressPlace | undefined;
  /** Of the files when it was looked up; another one, and it is looked up again. */
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
  const places = new LRUCache<string, Looked>({ max: MOST_REMEMBERED });
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
  log.info('there is no address database: callers are placed by what they say, else by HOME_PLACE');
  return {
    find: () => undefined,
    reload: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Said at the start and not at the first call from outside, which may be days later; an updater may yet bring it. */
function warnOfMissing(paths: DatabasePaths, log: Log): void {
  for (const file of new Set([paths.ipv4, paths.ipv6])) {
    try {
      accessSync(file, constants.R_OK);
    } catch (error) {
      log.warn(
        { err: error, file },
        'the address database cannot be read yet: check ADDRESS_DATABASE, or wait for what updates it',
      );
    }
  }
}
