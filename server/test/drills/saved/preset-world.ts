import { findAccountIdByUsername } from '../../../src/core/accounts/accounts.ts';
import { deviceKey } from '../../../src/core/accounts/devices/devices.ts';
import { unlinkDevice, linkDevice } from '../../../src/core/accounts/devices/link-device.ts';
import { addFolderRow } from '../../../src/core/accounts/presets/folders.ts';
import { Fault } from '../../../src/lib/fault.ts';
import { transaction } from '../../../src/storage/db/transaction.ts';
import { PASSWORD, type PresetApp } from '../../apps/preset-app.ts';
import { ModelAccount, type ModelDevice, type ModelFolder } from './preset-model.ts';

/** Who calls: a device by its serial, or an account by its name. */
export type Actor = ModelDevice | ModelAccount;

const isDevice = (actor: Actor): actor is ModelDevice => 'serial' in actor;

/** The account that the model has for an actor; a device gets one when it saves for the first time. */
export const accountOf = (actor: Actor): ModelAccount | undefined =>
  isDevice(actor) ? actor.account : actor;

export function savingAccountOf(actor: Actor): ModelAccount {
  if (!isDevice(actor)) return actor;
  actor.account ??= new ModelAccount();
  return actor.account;
}

/** Three devices and two named accounts that nobody has seen before, and the service that they call. */
export class PresetWorld {
  readonly devices: ModelDevice[];
  readonly accounts: ModelAccount[];
  readonly #app: PresetApp;

  private constructor(app: PresetApp, run: number) {
    this.#app = app;
    this.devices = [0, 1, 2].map((n) => ({ serial: `${run}/${n}`, account: undefined }));
    this.accounts = [0, 1].map((n) => new ModelAccount(`u${run}x${n}`));
  }

  static async open(app: PresetApp, run: number): Promise<PresetWorld> {
    const world = new PresetWorld(app, run);
    for (const { username = '' } of world.accounts) await register(app, username);
    return world;
  }

  get actors(): Actor[] {
    return [...this.devices, ...this.accounts];
  }

  /** Every folder that ever was, of whoever. */
  get folders(): ModelFolder[] {
    return this.#all.flatMap(({ folders }) => folders).filter(({ guideId }) => guideId !== undefined);
  }

  readonly #known = new Set<ModelAccount>();
  get #all(): ModelAccount[] {
    for (const actor of this.actors) {
      const account = accountOf(actor);
      if (account) this.#known.add(account);
    }
    return [...this.#known];
  }

  /** The body of the answer. */
  call(actor: Actor, page: string, params: Record<string, string | undefined>): Promise<string> {
    const who = isDevice(actor)
      ? { serial: actor.serial }
      : { username: actor.username, ...(page === 'Preset' && { password: PASSWORD }) };
    const query = Object.entries({ partnerId: 'maker', ...who, ...params })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`);
    return this.#app.get(`/${page}.ashx?${query.join('&')}`);
  }

  /** `ok`, or the fault's code. */
  join = (account: ModelAccount, device: ModelDevice): Promise<string> =>
    outcome(() =>
      transaction(this.#app.database.pool, async (client) => {
        const id = await findAccountIdByUsername(client, account.username ?? '');
        await linkDevice(client, id ?? 0, this.#keyOf(device));
      }),
    );

  drop = (device: ModelDevice): Promise<string> =>
    outcome(() =>
      transaction(this.#app.database.pool, (client) => unlinkDevice(client, this.#keyOf(device), undefined)),
    );

  #keyOf({ serial }: ModelDevice): ReturnType<typeof deviceKey> {
    return deviceKey(this.#app.members.keys, 'maker', serial);
  }
}

async function outcome(work: () => Promise<void>): Promise<string> {
  try {
    await work();
    return 'ok';
  } catch (error) {
    if (error instanceof Fault) return error.code ?? String(error.status);
    throw error;
  }
}

async function register({ database, passwords }: PresetApp, username: string): Promise<void> {
  await transaction(database.pool, async (client) => {
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO accounts (username, password_hash) VALUES ($1, 'not looked at') RETURNING id`,
      [username],
    );
    const id = rows[0]?.id ?? 0;
    await client.query('INSERT INTO usernames VALUES ($1, $2)', [username, id]);
    await addFolderRow(client, id, { name: 'Favorites', isDefault: true });
    passwords.set(username, id);
  });
}
