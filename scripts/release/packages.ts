import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const CHECKOUT = join(import.meta.dirname, '../..');

/** A package that runs in production, as the lock file has it. */
export interface LockedPackage {
  name: string;
  version: string;
  licence: string;
  /** Base64, as `sha512-…`. */
  integrity: string;
  /** Where it is, from the root of the checkout. */
  folder: string;
  /** Compiled for one kind of machine; npm installs only the one that fits. */
  isPlatform: boolean;
}

interface LockEntry {
  version?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  link?: boolean;
  cpu?: string[];
}

/** Optional parts of TypeScript, a development dependency that another package may use if it is there. */
const OF_DEVELOPMENT = /^@typescript\//;

/** Every package that production needs, on this or on another kind of machine, by name and version. */
export function productionPackages(checkout = CHECKOUT): LockedPackage[] {
  const lock: { packages: Record<string, LockEntry> } = JSON.parse(
    readFileSync(join(checkout, 'package-lock.json'), 'utf8'),
  );
  const packages = Object.entries(lock.packages)
    .filter(([folder, entry]) => folder.includes('node_modules/') && isForProduction(entry))
    .map(([folder, entry]) => ({
      name: folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: entry.version ?? '',
      licence: entry.license ?? '',
      integrity: entry.integrity ?? '',
      folder,
      isPlatform: entry.cpu !== undefined,
    }))
    .filter(({ name }) => !OF_DEVELOPMENT.test(name))
    // What only other machines need and no package for a kind of machine is, stays out: this one has no text of it.
    .filter(({ folder, isPlatform }) => isPlatform || existsSync(join(checkout, folder)));
  return packages.toSorted((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

const isForProduction = ({ dev, devOptional, link }: LockEntry): boolean =>
  dev !== true && devOptional !== true && link !== true;

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
