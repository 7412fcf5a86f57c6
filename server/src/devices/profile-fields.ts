import { parseJson } from '../lib/parse-json.ts';

/** The fields of a profile's file, each read strictly: whoever writes one is told the file, the field and the remedy. */
export class ProfileFields {
  readonly #where: string;
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(where: string, text: string | Readonly<Record<string, unknown>>, names: readonly string[]) {
    this.#where = where;
    this.#values = typeof text === 'string' ? parseObject(where, text) : text;
    const unknown = Object.keys(this.#values).find((name) => !names.includes(name));
    if (unknown !== undefined)
      throw new ProfileError(where, `"${unknown}" is read by nobody; the fields are ${names.join(', ')}`);
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

  /** `true` is any number, `false` none. */
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

  /** Texts that something a device sends is compared with; none when left out. */
  texts(name: string): string[] {
    const values: unknown = this.#values[name] ?? [];
    const must = 'a list of texts of 2 to 100 characters';
    if (!Array.isArray(values)) throw this.#wrong(name, must);
    return values.map((value: unknown) => {
      // One letter would be found in every User-Agent there is.
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

export class ProfileError extends Error {
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
  if (!isObject(value)) throw new ProfileError(where, 'must hold one JSON object');
  return value;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
