import { createInterface } from 'node:readline/promises';
import { findHomePlace } from '../../storage/catalog/places/place-resolver.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { findCityOfZone, readInstallation, saveHome } from '../../storage/installation.ts';

interface Asked {
  /** HOME_PLACE. */
  setting: string | undefined;
  /** `--home`. */
  given: string | undefined;
  /** The machine's time zone. */
  zone: string;
  /** Undefined where nobody can be asked. */
  ask: ((question: string) => Promise<string>) | undefined;
}

/** Asks where the house is, once, or guesses it by the time zone; returns what to say about it. */
export async function chooseHome(db: Queryable, { setting, given, zone, ask }: Asked): Promise<string> {
  if (given !== undefined) return keep(db, given);
  if (setting !== undefined) {
    await findHomePlace(db, setting);
    return `${setting} (HOME_PLACE)`;
  }
  const known = await readInstallation(db);
  if (known?.home_place && !known.home_is_guess) return known.home_place;
  const guess = known?.home_place ?? (await findCityOfZone(db, zone));
  if (ask) return askFor(db, ask, guess);
  if (guess === undefined)
    return "not known, so Local Radio begins with the list of countries; longwave setup --home 'Cork, Ireland' tells";
  await saveHome(db, guess, true);
  return `${guess}, guessed by the time zone ${zone}; if it is another: longwave setup --home 'Cork, Ireland'`;
}

async function keep(db: Queryable, place: string): Promise<string> {
  await findHomePlace(db, place);
  await saveHome(db, place, false);
  return place;
}

const TRIES = 5;

async function askFor(
  db: Queryable,
  ask: (question: string) => Promise<string>,
  guess: string | undefined,
): Promise<string> {
  const hint = guess === undefined ? 'such as Cork, Ireland' : `Enter for ${guess}`;
  for (let tries = 0; tries < TRIES; tries++) {
    const place = (await ask(`Where is the radio? City and country (${hint}): `)).trim() || guess;
    if (place === undefined) break;
    try {
      return await keep(db, place);
    } catch {
      console.log(`There is no ${place} among the places; write the city, a comma and the country.`);
    }
  }
  return "not said; longwave setup --home 'Cork, Ireland' tells it later";
}

/** Asks at a terminal; undefined where there is none, as in a container or a package's script. */
export function questions(): ((question: string) => Promise<string>) | undefined {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  return async (question) => {
    using line = createInterface({ input: process.stdin, output: process.stdout });
    return line.question(question);
  };
}
