import { SiteFault } from '../session/site-endpoint.ts';

const MAX_TEXT_LENGTH = 300;
const MAX_LIST_LENGTH = 500;

export const invalid = (field: string, message: string): SiteFault =>
  new SiteFault(400, 'site.invalid', message, field);

/** The fields of a JSON body; a field of the wrong type is rejected by name. */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #prefix: string;

  constructor(body: unknown, prefix = '') {
    if (body !== undefined && !isRecord(body))
      throw invalid(
        prefix || 'body',
        `Send ${prefix ? `'${prefix}' as` : ''} a JSON object: {"name": "value"}`,
      );
    this.#values = body ?? {};
    this.#prefix = prefix;
  }

  has(name: string): boolean {
    return this.#value(name) !== undefined;
  }

  /** Undefined when absent or null. */
  text(name: string, longest = MAX_TEXT_LENGTH): string | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw this.#wrong(name, 'a text');
    if (value.length > longest) throw this.#wrong(name, `at most ${longest} characters long`);
    if (longest === MAX_TEXT_LENGTH && /\p{Cc}/u.test(value))
      throw this.#wrong(name, 'one line without control characters');
    return value;
  }

  required(name: string, longest?: number): string {
    const text = this.text(name, longest);
    if (text === undefined || text === '') throw this.#wrong(name, 'given');
    return text;
  }

  flag(name: string): boolean | undefined {
    const value = this.#value(name);
    if (value === undefined || typeof value === 'boolean') return value;
    throw this.#wrong(name, 'true or false');
  }

  /** From 1 to the largest. */
  wholeNumber(name: string, largest: number): number | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= largest) return value;
    throw this.#wrong(name, `a whole number from 1 to ${largest}`);
  }

  texts(name: string): string[] {
    const value = this.#value(name);
    const isList = Array.isArray(value) && value.length <= MAX_LIST_LENGTH;
    if (!isList || !value.every((item) => typeof item === 'string'))
      throw this.#wrong(name, `a list of at most ${MAX_LIST_LENGTH} strings`);
    return value;
  }

  object(name: string): Fields | undefined {
    const value = this.#value(name);
    return value === undefined ? undefined : new Fields(value, this.#named(name));
  }

  /** A fault that names the field as the caller wrote it. */
  refuse(name: string, message: string): SiteFault {
    return invalid(this.#named(name), message);
  }

  #value(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? (this.#values[name] ?? undefined) : undefined;
  }

  #wrong(name: string, rule: string): SiteFault {
    return this.refuse(name, `'${this.#named(name)}' must be ${rule}`);
  }

  #named(name: string): string {
    return this.#prefix === '' ? name : `${this.#prefix}.${name}`;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
