import type { Queryable } from './db/pool.ts';
import { statement } from './db/statement.ts';

type InstallationKind = 'directory' | 'demo';

/** A run that was killed stops counting as running after this long. */
const SILENT_AFTER = "interval '2 minutes'";

/** Undefined until `longwave setup` or the demo has run. */
export const readInstallation = statement(
  'installation',
  {
    kind: 'text',
    home_place: 'text?',
    home_is_guess: 'bool',
    setup_step: 'text?',
    setup_done: 'int4',
  },
  `SELECT kind, home_place, home_is_guess,
     CASE WHEN setup_at > now() - ${SILENT_AFTER} THEN setup_step END AS setup_step, setup_done
   FROM installation`,
).first();

const claim = statement(
  'installation-claim',
  { kind: 'text' },
  `INSERT INTO installation AS i (kind) VALUES ($1)
   ON CONFLICT (is_single) DO UPDATE SET kind = i.kind RETURNING kind`,
);

/** Marks the database as a directory or a demo the first time, and refuses to use it as the other one ever after. */
export async function claimInstallation(db: Queryable, kind: InstallationKind): Promise<void> {
  const [found] = await claim.run(db, [kind]);
  if (found?.kind === kind) return;
  throw new Error(
    kind === 'directory'
      ? 'this database belongs to a demo, whose stations are made up; set DATABASE_URL to a database of its own for the directory'
      : 'this database belongs to a directory, and the demo would add made-up stations to it; set DATABASE_URL to another database for the demo',
  );
}

export const saveHome = statement(
  'installation-home',
  {},
  'UPDATE installation SET home_place = $1, home_is_guess = $2',
).command((place: string, isGuess: boolean) => [place, isGuess]);

/** Undefined when the setup has ended. */
export const saveSetupProgress = statement(
  'installation-progress',
  {},
  'UPDATE installation SET setup_step = $1, setup_done = $2, setup_at = now()',
).command((step: string | undefined, done = 0) => [step, done]);

const zoneCity = statement(
  'zone-largest-city',
  { city: 'text', country: 'text' },
  `SELECT r.name AS city, countries.name AS country FROM cities c
   JOIN regions r ON r.id = c.id JOIN countries ON countries.id = c.country_id
   WHERE c.zone = $1 ORDER BY lower(replace(r.name, ' ', '_')) = $2 DESC, c.population DESC LIMIT 1`,
);

/** The city that a time zone is named after, or else its largest: a guess of where a machine stands. */
export async function findCityOfZone(db: Queryable, zone: string): Promise<string | undefined> {
  const named = zone.slice(zone.lastIndexOf('/') + 1).toLowerCase();
  const [found] = await zoneCity.run(db, [zone, named]);
  return found && `${found.city}, ${found.country}`;
}

/** Cities come before postal codes in an import: where there are some of these, the places are complete. */
export const hasPlaces = statement(
  'places-complete',
  { complete: 'bool' },
  'SELECT EXISTS (SELECT FROM postal_codes) AS complete',
).oneValue();
