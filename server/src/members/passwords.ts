import { createHmac, randomBytes } from 'node:crypto';
import type { Options } from '@node-rs/argon2';
import type { MemberKeys } from './keys.ts';
import { PasswordWorkers, type WorkerLimits } from './password-workers.ts';

/** OWASP's for argon2id, which is the default, with one lane: 19 MiB, twice. */
const OPTIONS: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Which key went into the hash; a second one would be a second number. */
const PEPPER_VERSION = '1';

export interface PasswordsOptions {
  keys: MemberKeys;
  workers?: Partial<WorkerLimits>;
  hashing?: Partial<Options>;
}

/** How passwords are kept: `1$` and an argon2id hash over what only the service's key can make of the password. */
export class Passwords implements AsyncDisposable {
  readonly #keys: MemberKeys;
  readonly #workers: PasswordWorkers;
  readonly #options: Options;
  /** What the password of a name that nobody has is held against, so that it takes as long. */
  #nobodys: Promise<string> | undefined;

  constructor({ keys, workers, hashing }: PasswordsOptions) {
    this.#keys = keys;
    this.#workers = new PasswordWorkers(workers);
    this.#options = { ...OPTIONS, ...hashing };
  }

  /** Whether one more would be refused now. */
  get isFull(): boolean {
    return this.#workers.isFull;
  }

  async hash(password: string): Promise<string> {
    const peppered = this.#pepper(preparePassword(password));
    const outcome = await this.#workers.run({ peppered, options: this.#options });
    if (!('phc' in outcome)) throw new Error('a password worker made no hash');
    return `${PEPPER_VERSION}$${outcome.phc}`;
  }

  /** Whether a password fits what is stored; with nothing stored it never does, and takes as long. */
  async fits(password: string, stored: string | undefined): Promise<boolean> {
    const phc = phcOf(stored) ?? phcOf(await this.#nobody());
    if (phc === undefined) throw new Error('there is no hash to hold a password against');
    let fits = false;
    for (const spelling of spellingsOf(password)) {
      const task = { peppered: this.#pepper(spelling), phc, options: this.#options };
      const outcome = await this.#workers.run(task);
      fits = 'fits' in outcome && outcome.fits;
      if (fits) break;
    }
    return fits && phcOf(stored) !== undefined && password !== '';
  }

  /** Whether a stored hash is weaker than those made now. */
  isOld(stored: string): boolean {
    const { memoryCost, timeCost, parallelism } = this.#options;
    return !stored.startsWith(
      `${PEPPER_VERSION}$$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`,
    );
  }

  /** Makes what the first unknown name would otherwise wait for. */
  async prepare(): Promise<void> {
    await this.#nobody();
  }

  async #nobody(): Promise<string> {
    this.#nobodys ??= this.hash(randomBytes(32).toString('base64'));
    try {
      return await this.#nobodys;
    } catch (error) {
      this.#nobodys = undefined;
      throw error;
    }
  }

  #pepper(password: string): string {
    return createHmac('sha256', this.#keys.password).update(password).digest('base64');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#workers[Symbol.asyncDispose]();
  }
}

/**
 * The one form of a password that is hashed, by RFC 8265 (OpaqueString): composed, since one keyboard writes an accent
 * apart that another does not, and every kind of space as a plain one.
 */
const preparePassword = (password: string): string => password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC');

/** That form, and those in which earlier hashes were made; only one for what has neither accents nor odd spaces. */
const spellingsOf = (password: string): Set<string> =>
  new Set([preparePassword(password), password, password.normalize('NFC'), password.normalize('NFD')]);

/** Undefined when nothing is stored, or nothing that a password can be held against. */
const phcOf = (stored: string | undefined): string | undefined =>
  stored?.startsWith(`${PEPPER_VERSION}$$argon2id$`) ? stored.slice(PEPPER_VERSION.length + 1) : undefined;
