import { type Call, fault, type Page } from './small-call.ts';
import { link, playable, show, station } from './small-directory.ts';
import { Shelf } from './small-shelf.ts';

interface SmallAccount {
  password: string;
  email: string;
  serial: string | undefined;
  shelf: Shelf;
}

const OPEN = '/Browse.ashx?c=presets&guide_id=';
const DONE: Page = { lines: [] };
const isOfKit = (name: string | undefined): boolean => /^k/i.test(name ?? '');

/** The accounts and devices of the small directory, with what they save. */
export class SmallMembers {
  readonly #accounts = new Map<string, SmallAccount>();
  readonly #devices = new Map<string, Shelf>();

  /** Undefined for what is not its business. */
  answer(path: string, call: Call, isSecure: boolean): Page | undefined {
    const { params, c } = call;
    const isOfMember = isOfKit(params.get('serial')) || isOfKit(params.get('username'));
    const isReading = isOfMember && (c === 'presets' || (c === '' && call.id.startsWith('f')));
    if (path !== '/preset.ashx' && path !== '/account.ashx' && !isReading) return undefined;
    if (params.get('partnerid') !== 'kit') return fault(403, 'partner.invalid', 'Give a valid partnerId');
    if (!isSecure && (path === '/account.ashx' || params.has('password')))
      return fault(403, 'request.insecure', 'Use HTTPS');
    if (isReading) return this.#read(call);
    return path === '/preset.ashx' ? this.#preset(call) : this.#account(call);
  }

  /** Whether who is named has an item in a folder. */
  hasSaved({ params }: Call, id: string): boolean {
    const folders = this.#shelfOf(params)?.folders.values().toArray() ?? [];
    return folders.some(({ items }) => items.has(id));
  }

  #shelfOf(params: Call['params']): Shelf | undefined {
    const account = this.#accounts.get(params.get('username')?.toLowerCase() ?? '');
    return account?.shelf ?? this.#devices.get(params.get('serial') ?? '');
  }

  #read(call: Call): Page {
    const shelf = this.#shelfOf(call.params) ?? new Shelf();
    const asked = call.params.get('guide_id') ?? (call.id === '' ? undefined : call.id);
    const folders = [...shelf.folders];
    const [[only] = []] = folders.length === 1 ? folders : [];
    const opened = shelf.folders.get(asked ?? only ?? '');
    if (opened) return { lines: [...opened.items].map(([id, number]) => line(call, id, number)) };
    return { lines: folders.map(([id, { name }]) => link(call, name, OPEN + id, `guide_id="${id}"`)) };
  }

  #preset(call: Call): Page {
    const { params } = call;
    const username = params.get('username');
    const serial = params.get('serial') ?? '';
    if (username !== undefined) {
      const account = this.#signIn(params);
      return account ? account.shelf.answer(call) : fault(401, '', 'Wrong name or password');
    }
    if (serial === '') return fault(400, 'request.invalid', 'Give a username or a serial');
    return this.#deviceShelf(serial).answer(call);
  }

  #deviceShelf(serial: string): Shelf {
    const shelf = this.#devices.get(serial) ?? new Shelf();
    this.#devices.set(serial, shelf);
    return shelf;
  }

  #signIn(params: Call['params']): SmallAccount | undefined {
    const account = this.#accounts.get(params.get('username')?.toLowerCase() ?? '');
    return account?.password === params.get('password') ? account : undefined;
  }

  #account({ c, params }: Call): Page {
    if (c === 'create') return this.#create(params);
    const account = this.#signIn(params);
    if (!account) return fault(401, '', 'Wrong name or password');
    const serial = params.get('serial') ?? '';
    if (c === 'join') return this.#join(account, serial);
    if (c === 'auth') return DONE;
    if (account.serial !== serial) return fault(400, 'validation.deviceNotAssociated', 'Not yours');
    account.serial = undefined;
    this.#devices.delete(serial);
    return DONE;
  }

  #join(account: SmallAccount, serial: string): Page {
    if (account.serial !== undefined) return fault(400, 'validation.deviceExists', 'There is one');
    account.shelf.take(this.#deviceShelf(serial));
    account.serial = serial;
    this.#devices.set(serial, account.shelf);
    return DONE;
  }

  #create(params: Call['params']): Page {
    const text = (name: string): string => params.get(name) ?? '';
    const key = text('username').toLowerCase();
    if (!/^[a-z0-9]{1,12}$/.test(key)) return fault(400, 'validation.error', 'Another name');
    if (!/^[!-~]{4,12}$/.test(text('password'))) return fault(400, 'validation.password', 'Another password');
    if (!/.@.+\../.test(text('email'))) return fault(400, 'validation.email', 'Another address');
    if (text('city') === '' || text('countryid') !== 'n7')
      return fault(400, 'validation.location', 'Another place');
    if (this.#accounts.has(key)) return fault(400, 'validation.userNameExists', 'It is taken');
    if (this.#accounts.values().some(({ email }) => email === text('email')))
      return fault(400, 'validation.emailExists', 'It is registered');
    const account = {
      password: text('password'),
      email: text('email'),
      serial: undefined,
      shelf: new Shelf(),
    };
    this.#accounts.set(key, account);
    return text('serial') === '' ? DONE : this.#join(account, text('serial'));
  }
}

function line(call: Call, id: string, number: number): string {
  if (id.startsWith('u'))
    return link(call, 'Mine', `/Tune.ashx?id=${id}`, `guide_id="${id}" preset_number="${number}"`);
  const text = id.startsWith('p') ? show(call) : station(call, id);
  const mark = playable(call) ? '' : ' key="unavailable"';
  return text.replace('/>', ` preset_number="${number}"${mark}/>`);
}
