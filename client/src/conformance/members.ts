import { randomBytes } from 'node:crypto';
import { successOf, type Answer } from './answer.ts';
import { NotShown } from './expect.ts';
import type { Requests } from './requests.ts';
import { Saver } from './saver.ts';

export interface TestAccount {
  username: string;
  password: string;
  email: string;
}

type Params = Readonly<Record<string, string>>;

const random = (letters: number): string => randomBytes(letters).toString('hex').slice(0, letters);

export const newSerial = (): string => `kit-${random(24)}`;

export function newAccount(): TestAccount {
  const username = `k${random(11)}`;
  return { username, password: `p+${random(8)}`, email: `${username}@longwave-kit.example` };
}

/** Those in whose name something is saved: devices as many as wanted, one account, made when first asked for. */
export class Members {
  readonly #requests: Requests;
  #account: Promise<TestAccount> | undefined;
  #country: Promise<string> | undefined;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** A device that nobody has seen. */
  device(): Saver {
    const serial = newSerial();
    return new Saver(
      serial,
      (c, params) => this.#askAsDevice({ c, serial, ...params }),
      this.#reader({ serial }),
    );
  }

  /** The kit's account. */
  async member(): Promise<Saver> {
    const { username, password } = await this.account();
    return this.memberOf(username, password);
  }

  memberOf(username: string, password: string): Saver {
    return new Saver(
      '',
      (c, params) => this.#requests.post('/Preset.ashx', { c, username, password, ...params }),
      this.#reader({ username }),
    );
  }

  account(): Promise<TestAccount> {
    this.#account ??= this.create();
    return this.#account;
  }

  /** Makes an account. */
  async create(more: Params = {}): Promise<TestAccount> {
    const account = newAccount();
    successOf(await this.ask('create', { ...account, ...(await this.place()), ...more }));
    return account;
  }

  /** A city and the id of its country, as Describe names it. */
  async place(): Promise<Params> {
    this.#country ??= this.#findCountry();
    return { city: 'Dublin', countryId: await this.#country };
  }

  /** An action of Account; a server that has no accounts cannot show it. */
  async ask(c: string, params: Params): Promise<Answer> {
    this.mayWrite();
    return known(await this.#requests.post('/Account.ashx', { c, ...params }));
  }

  mayWrite(): void {
    const { write, partnerId } = this.#requests.options;
    if (!write || partnerId === undefined)
      throw new NotShown(
        'give --write, --partner-id and --https-base-url to have presets and accounts tried',
      );
  }

  async #askAsDevice(params: Params): Promise<Answer> {
    this.mayWrite();
    return known(await this.#requests.fresh(`/Preset.ashx?${new URLSearchParams(params).toString()}`));
  }

  #reader(who: Params): (more: Params) => Promise<Answer> {
    return (more) =>
      this.#requests.fresh(
        `/Browse.ashx?${new URLSearchParams({ c: 'presets', ...who, ...more }).toString()}`,
      );
  }

  async #findCountry(): Promise<string> {
    const { document } = await this.#requests.success('/Describe.ashx?c=countries');
    const ireland = document.outlines.find(({ attributes }) => attributes.get('text') === 'Ireland');
    return ireland?.attributes.get('guide_id') ?? '';
  }
}

const ABSENT = ['service.unavailable', 'api.methodNotFound'];

function known(answer: Answer): Answer {
  const { faultCode = '', fault = '' } = answer.document;
  if (ABSENT.includes(faultCode)) throw new NotShown(`the server has no presets or accounts: ${fault}`);
  return answer;
}
