import { parseJson } from '../../lib/parse-json.ts';
import { formatBit, type FormatMask, STREAM_FORMATS } from '../../lib/stream-format.ts';

/** `tested`: a program in our tests plays with it. `confirmed`: its makers or owners say so. `inferred`: neither. */
const GRADES = ['tested', 'confirmed', 'inferred'] as const;
/** `none`: not supported. `old`: it may work, but plain HTTP is safer. `modern`: works as well as plain HTTP. */
const TLS = ['none', 'old', 'modern'] as const;
/** When a stream that it may or may not play is relayed too: which of the two it tries first. */
const RELAYS = ['first', 'last', 'never'] as const;
export const PLAYLISTS = ['m3u', 'pls', 'asx', 'xspf'] as const;

/** How a family of devices is recognised; the longer the match in a User-Agent, the surer. */
interface ProfileMatch {
  readonly userAgents: readonly string[];
  readonly partnerIds: readonly string[];
  /** Whole lists as the device sends them in `formats`. */
  readonly formats: readonly string[];
}

/** What a family of devices can play. */
export interface DeviceProfile {
  readonly id: string;
  readonly name: string;
  readonly grade: (typeof GRADES)[number];
  /** How we know. */
  readonly evidence: string;
  readonly match: ProfileMatch;
  readonly formats: FormatMask;
  /** False where of HE-AAC (AAC+) it plays nothing, or only the dull half that plain AAC decoders understand. */
  readonly heAac: boolean;
  /** When a call names no formats: put those that nearly everything plays first. */
  readonly safestFirst: boolean;
  readonly tls: (typeof TLS)[number];
  /** A caller over HTTPS is a page loaded over HTTPS, where browsers block plain HTTP. */
  readonly secureFirst: boolean;
  /** How many redirects in a row it follows; Infinity when no limit is known. */
  readonly redirects: number;
  /** Which kinds of playlist it reads inside the playlist it is given. */
  readonly playlists: readonly (typeof PLAYLISTS)[number][];
  readonly maxAddressLength: number;
  /** Stations per group of a menu, for a caller that sends `device=` and whose partner sets none. */
  readonly pageSize: number | undefined;
  /** It adds a presets entry to the index by itself. */
  readonly ownPresets: boolean;
  /** It plays files alone, and no stream without a length: a relay can make one look like a long file. */
  readonly filesOnly: boolean;
  /** Whether it is sent to a relay before or after what it can perhaps play by itself. */
  readonly relay: (typeof RELAYS)[number];
}

const NAMES = [
  'name',
  'grade',
  'evidence',
  'match',
  'formats',
  'safestFirst',
  'hls',
  'heAac',
  'tls',
  'secureFirst',
  'redirects',
  'playlists',
  'maxAddressLength',
  'pageSize',
  'ownPresets',
  'filesOnly',
  'relay',
] as const;
const PLAIN_FORMATS = STREAM_FORMATS.filter((format) => format !== 'hls');

/** The id is the file's name. Throws an error that says which field is wrong and what it must be. */
export function parseProfile(id: string, text: string): DeviceProfile {
  const fields = new ProfileFields(`${id}.json`, text, NAMES);
  const formats = fields.list('formats', PLAIN_FORMATS);
  return {
    id,
    name: fields.text('name', 80),
    grade: fields.oneOf('grade', GRADES),
    evidence: fields.text('evidence', 600),
    match: {
      userAgents: fields.inside('match').texts('userAgents'),
      partnerIds: fields.inside('match').texts('partnerIds'),
      formats: fields.inside('match').texts('formats'),
    },
    formats: maskOf(formats) | (fields.flag('hls') ? formatBit('hls') : 0),
    heAac: !fields.has('heAac') || fields.flag('heAac'),
    safestFirst: fields.has('safestFirst') && fields.flag('safestFirst'),
    tls: fields.oneOf('tls', TLS),
    secureFirst: fields.has('secureFirst') && fields.flag('secureFirst'),
    redirects: fields.countOrAny('redirects', 20),
    playlists: fields.list('playlists', PLAYLISTS),
    maxAddressLength: fields.has('maxAddressLength') ? fields.count('maxAddressLength', 2048) : Infinity,
    pageSize: fields.has('pageSize') ? fields.count('pageSize', 500) : undefined,
    ownPresets: fields.has('ownPresets') && fields.flag('ownPresets'),
    filesOnly: fields.has('filesOnly') && fields.flag('filesOnly'),
    relay: fields.has('relay') ? fields.oneOf('relay', RELAYS) : 'first',
  };
}

const maskOf = (formats: readonly (typeof STREAM_FORMATS)[number][]): FormatMask =>
  formats.reduce((mask, format) => mask | formatBit(format), 0);

/** The fields of a profile's file, parsed strictly: an error names the file, the field and the remedy. */
class ProfileFields {
  readonly #where: string;
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(where: string, text: string | Readonly<Record<string, unknown>>, names: readonly string[]) {
    this.#where = where;
    this.#values = typeof text === 'string' ? parseObject(where, text) : text;
    const unknown = Object.keys(this.#values).find((name) => !names.includes(name));
    if (unknown !== undefined)
      throw new ProfileError(where, `"${unknown}" is not a field; the fields are ${names.join(', ')}`);
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  text(name: string, longest: number): string {
    const value = this.#values[name];
    if (typeof value === 'string' && value.trim() !== '' && value.length <= longest) return value;
    throw this.#wrong(name, `a text of 1 to ${longest} characters`);
  }

  oneOf<T extends string>(name: string, choices: readonly T[]): T {
    const found = choices.find((choice) => choice === this.#values[name]);
    if (found !== undefined) return found;
    throw this.#wrong(name, `one of ${choices.join(', ')}`);
  }

  flag(name: string): boolean {
    const value = this.#values[name];
    if (typeof value === 'boolean') return value;
    throw this.#wrong(name, 'true or false');
  }

  count(name: string, most: number, least = 1): number {
    const value = this.#values[name];
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    throw this.#wrong(name, `a whole number from ${least} to ${most}`);
  }

  /** `true` means any number, `false` none. */
  countOrAny(name: string, most: number): number {
    const value = this.#values[name];
    if (typeof value === 'boolean') return value ? Infinity : 0;
    if (typeof value === 'number') return this.count(name, most);
    throw this.#wrong(name, `true, false or a whole number from 1 to ${most}`);
  }

  list<T extends string>(name: string, choices: readonly T[]): T[] {
    const must = `a list of some of ${choices.join(', ')}, each once`;
    const values: unknown = this.#values[name];
    if (!Array.isArray(values) || new Set(values).size < values.length) throw this.#wrong(name, must);
    return values.map((value: unknown) => {
      const found = choices.find((choice) => choice === value);
      if (found === undefined) throw this.#wrong(name, must);
      return found;
    });
  }

  /** Texts to compare with what a device sends; empty when left out. */
  texts(name: string): string[] {
    const values: unknown = this.#values[name] ?? [];
    const must = 'a list of texts of 2 to 100 characters';
    if (!Array.isArray(values)) throw this.#wrong(name, must);
    return values.map((value: unknown) => {
      // A single letter would match every User-Agent.
      if (typeof value === 'string' && value.trim().length > 1 && value.length <= 100) return value;
      throw this.#wrong(name, must);
    });
  }

  inside(name: string): ProfileFields {
    const value = this.#values[name];
    if (!isObject(value)) throw this.#wrong(name, 'an object with userAgents, partnerIds and formats');
    return new ProfileFields(`${this.#where}, ${name}`, value, ['userAgents', 'partnerIds', 'formats']);
  }

  #wrong(name: string, must: string): ProfileError {
    const value = this.#values[name];
    const is = value === undefined ? 'is missing' : `is ${JSON.stringify(value)}`;
    return new ProfileError(this.#where, `"${name}" ${is}; it must be ${must}`);
  }
}

class ProfileError extends Error {
  override name = 'ProfileError';

  constructor(where: string, what: string) {
    super(`devices/profiles/${where}: ${what}`);
  }
}

function parseObject(where: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new ProfileError(where, `is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isObject(value)) throw new ProfileError(where, 'must contain one JSON object');
  return value;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
