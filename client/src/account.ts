import type { DirectoryAnswer } from './answer.ts';
import type { CallerOptions, Params } from './call-url.ts';
import type { CallOptions, Connection } from './connection.ts';

export interface Account {
  username: string;
  password: string;
}

export interface NewAccount extends Account {
  email: string;
  /** In the United States and Canada; elsewhere `city` and `countryId`. */
  postalCode?: string;
  city?: string;
  /** The guide ID of Describe countries, `n…`. */
  countryId?: string;
  /** A device whose presets the account takes over. */
  serial?: string;
}

/** A device by its serial, or by the code that it shows. */
export type JoiningDevice = { serial: string } | { code: string };

/** Account: always in a form, always over HTTPS. */
export class AccountCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  #ask(caller: CallerOptions, params: Params, call?: CallOptions): Promise<DirectoryAnswer> {
    return this.#connection.askSecretly('/Account.ashx', caller, params, call);
  }

  /** Whether name and password belong together: a DirectoryFault of status 401 when not. */
  async auth({ username, password }: Account, call?: CallOptions): Promise<void> {
    await this.#ask({ username }, { c: 'auth', password }, call);
  }

  async create({ username, serial, ...account }: NewAccount, call?: CallOptions): Promise<void> {
    await this.#ask({ username, serial }, { c: 'create', ...account }, call);
  }

  /** Ties a device to the account, which takes over what was saved on it. */
  async join({ username, password }: Account, device: JoiningDevice, call?: CallOptions): Promise<void> {
    await this.#ask({ username }, { c: 'join', password, ...device }, call);
  }

  /** Unties a device, which forgets what was saved. A device may do that by itself, without an account. */
  async drop(serial: string, account?: Account, call?: CallOptions): Promise<void> {
    await this.#ask(
      { username: account?.username, serial },
      { c: 'drop', password: account?.password },
      call,
    );
  }

  /** The name of the account that a device is tied to. */
  async query(serial: string, call?: CallOptions): Promise<string> {
    const { outlines } = await this.#ask({ serial }, { c: 'query' }, call);
    return outlines[0]?.text ?? '';
  }

  /** What a device shows its listener: a sentence with a code that `join` takes. */
  async claim(serial: string, call?: CallOptions): Promise<string> {
    const { outlines } = await this.#ask({ serial }, { c: 'claim' }, call);
    return outlines[0]?.text ?? '';
  }

  /** Has the forgotten name sent by mail. */
  async remind(email: string, call?: CallOptions): Promise<void> {
    await this.#ask({}, { c: 'remind', email }, call);
  }

  /** Has a new password sent by mail. */
  async reset(who: { username: string } | { email: string }, call?: CallOptions): Promise<void> {
    await this.#ask({}, { c: 'reset', ...who }, call);
  }
}
