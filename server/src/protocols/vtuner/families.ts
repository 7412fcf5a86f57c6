import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProfile, SAFE_PROFILE } from '../../core/devices/profiles.ts';
import { playerOf, type Player } from '../../core/streams/player.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { memoize } from '../../lib/memoize.ts';
import { isStreamFormat, parseFormats } from '../../lib/stream-format.ts';

const FILE = 'families.json';
/** Who says so: the source of an emulator or a recording, owners of such devices, or nobody. */
const CERTAINTIES = ['code', 'owners', 'inferred'] as const;

/** What its radios do otherwise than others. The file has only what differs from `USUAL`. */
interface Switches {
  /** Whether lists say how long they are. */
  itemCount: boolean;
  encoding: 'UTF-8' | 'ISO-8859-1';
  /** Which of `& < > " /` are in texts: all, those that need no other entity than `&amp;`, or none. */
  signs: 'all' | 'ampersand' | 'none';
  /** Letters that are lost at the beginning of a title. */
  padding: number;
  /** Of one page. */
  maxItems: number;
  /** In lists: all that is known of a station, or its id, name and address. */
  stations: 'full' | 'short';
  /** Which redirects it follows on the way to a stream. */
  redirects: 'none' | 'own-host' | 'any';
  /** The letter of a size of logos. */
  logo: string;
}

export interface Family extends Switches {
  id: string;
  name: string;
  certainty: (typeof CERTAINTIES)[number];
  evidence: string;
  match: {
    /** Of the path, in lower case. */
    brands: readonly string[];
    /** The parameter `fver`. Where there are brands too, both must be met. */
    firmware: readonly string[];
    userAgents: readonly string[];
  };
  /** What it plays: never by TLS, which none of them knows. */
  player: Player;
}

const USUAL: Switches = {
  itemCount: true,
  encoding: 'UTF-8',
  signs: 'all',
  padding: 0,
  maxItems: 100,
  stations: 'full',
  redirects: 'none',
  logo: 'd',
};

const CHOICES: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  Object.entries({
    itemCount: (value) => typeof value === 'boolean',
    encoding: (value) => value === 'UTF-8' || value === 'ISO-8859-1',
    signs: (value) => value === 'all' || value === 'ampersand' || value === 'none',
    padding: (value) => isCount(value, 0, 10),
    maxItems: (value) => isCount(value, 10, 200),
    stations: (value) => value === 'full' || value === 'short',
    redirects: (value) => value === 'none' || value === 'own-host' || value === 'any',
    logo: (value) => value === 't' || value === 'q' || value === 'd',
  } satisfies Record<keyof Switches, (value: unknown) => boolean>),
);
const isCount = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The profile of such devices, and in messages their name. */
export const PROFILE = findProfile('old-radio') ?? SAFE_PROFILE;

/** Throws an error that says what is wrong with the file. */
export function parseFamilies(text: string): readonly Family[] {
  const rows = parseJson(text);
  if (!Array.isArray(rows)) throw new Error(`${FILE} must be a list`);
  const families = rows.map((row: unknown, index) => parseFamily(row, index));
  if (families.at(-1)?.id !== 'other') throw new Error(`${FILE}: the last family must be "other"`);
  return families;
}

function parseFamily(row: unknown, index: number): Family {
  const wrong = (what: string): Error => new Error(`${FILE}, family ${index + 1}: ${what}`);
  if (!isObject(row)) throw wrong('it must be an object');
  const { id, name, certainty, evidence, match, formats, ...switches } = row;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof evidence !== 'string')
    throw wrong('"id", "name" and "evidence" must be texts');
  const known = CERTAINTIES.find((each) => each === certainty);
  if (!known) throw wrong(`"certainty" must be one of ${CERTAINTIES.join(', ')}`);
  for (const [key, value] of Object.entries(switches))
    if (CHOICES.get(key)?.(value) !== true)
      throw wrong(`"${key}" is no switch, or ${JSON.stringify(value)} none of its values`);
  const played = formats === undefined ? [] : textsOf(formats);
  if (!played || !played.every(isStreamFormat)) throw wrong('"formats" must be a list of formats');
  const tellers = isObject(match) ? match : {};
  const [brands, firmware, userAgents] = ['brands', 'firmware', 'userAgents'].map((key) =>
    textsOf(tellers[key] ?? []),
  );
  if (!brands || !firmware || !userAgents) throw wrong('"match" must have lists of texts');
  return {
    ...USUAL,
    ...(switches as Partial<Switches>),
    id,
    name,
    evidence,
    certainty: known,
    match: { brands, firmware, userAgents },
    player: playerOf(PROFILE, { formats: parseFormats(played.join(',')), isSecure: false, directOnly: true }),
  };
}

const textsOf = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.every((text) => typeof text === 'string' && text !== '') ? value : undefined;

/** Read once at startup. */
export const FAMILIES = parseFamilies(readFileSync(join(import.meta.dirname, FILE), 'utf8'));

/** By the brand in the path, as far as it is known, then by the firmware, then by the User-Agent. */
export function familyOf(brand: string, firmware: string, userAgent: string): Family {
  const named = byBrand(brand.toLowerCase());
  const told =
    named.find(({ match }) => match.firmware.length === 0 || match.firmware.includes(firmware)) ??
    FAMILIES.find(({ match }) => match.userAgents.some((text) => userAgent.startsWith(text)));
  return told ?? OTHER;
}

const OTHER = FAMILIES.at(-1)!;
const byBrand = memoize((brand) => FAMILIES.filter(({ match }) => match.brands.includes(brand)));
