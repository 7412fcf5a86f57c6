import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Queryable } from '../../storage/db/pool.ts';
import { statement } from '../../storage/db/statement.ts';
import { findAccountIdByUsername } from './accounts.ts';
import { type DeviceKey, deviceKey, hashesOf } from './devices/devices.ts';
import { keyedHash, type MemberKeys } from './keys.ts';
import { networkHashes } from './login/known-networks.ts';

/** What a call reveals about its sender. */
export interface ReporterClues {
  /** The household or office network it comes from. */
  network: string;
  /** Of a registered partner. */
  device?: { scope: string; serial: string } | undefined;
  username?: string | undefined;
}

/**
 * Identifies a reporter by a hash that only this service can compute. Names and serials are easily invented, so they
 * count only with a history: a device counts on its own when it saved something at least a day ago, a named account
 * when it is that old and signed in from here. Everybody else counts as the network they call from.
 */
export class Reporters {
  readonly #db: Queryable;
  readonly #keys: MemberKeys | undefined;
  /** Where no accounts are configured: a random key that lasts as long as the process. */
  readonly #key: KeyObject;

  constructor(db: Queryable, keys: MemberKeys | undefined) {
    this.#db = db;
    this.#keys = keys;
    this.#key = createSecretKey(randomBytes(32));
  }

  async find({ network, device, username }: ReporterClues): Promise<Buffer> {
    const keys = this.#keys;
    const known = keys && device && deviceKey(keys, device.scope, device.serial);
    if (known && (await isOldDevice(this.#db, known)))
      return this.hash('device', known.scope, known.hash.toString('hex'));
    const account = keys && username !== undefined && (await this.#accountHere(keys, username, network));
    return account ? this.hash('account', String(account)) : this.hash('network', network);
  }

  hash(...parts: readonly string[]): Buffer {
    return keyedHash(this.#keys?.writing.reporter ?? this.#key, ...parts);
  }

  async #accountHere(keys: MemberKeys, username: string, network: string): Promise<number | undefined> {
    const id = await findAccountIdByUsername(this.#db, username);
    if (id === undefined) return undefined;
    const [account] = await oldAccountHere.run(this.#db, [
      id,
      networkHashes(keys, network).map(({ hash }) => hash),
    ]);
    return account?.id;
  }
}

const oldDevice = statement(
  'reporter-device',
  { is_old: 'bool' },
  "SELECT changed_at < now() - interval '1 day' AS is_old FROM devices WHERE scope = $1 AND serial_hash = ANY ($2::bytea[])",
);

async function isOldDevice(db: Queryable, device: DeviceKey): Promise<boolean> {
  const [found] = await oldDevice.run(db, [device.scope, hashesOf(device)]);
  return found?.is_old === true;
}

const oldAccountHere = statement(
  'reporter-account',
  { id: 'int8' },
  `SELECT a.id FROM accounts a JOIN known_networks k ON k.account_id = a.id
   WHERE a.id = $1 AND k.network_hash = ANY ($2::bytea[]) AND a.created_at < now() - interval '1 day'`,
);
