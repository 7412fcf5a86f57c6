import type { Pool } from 'pg';
import type { Log } from '../../../lib/log.ts';
import { ownText } from '../../../lib/memoize.ts';
import { statement } from '../../../storage/db/statement.ts';
import { type DiaryCall, MAX_CALLS, RecentCalls, writeCalls } from '../../devices/recent-calls.ts';
import type { MemberKeys } from '../keys.ts';
import { type DeviceKey, deviceKey } from './devices.ts';
import { rehashDevices } from './rehash-device.ts';

export interface DiaryNote {
  /** The scope in which the serial is unique. */
  scope: string;
  /** As the device sent it. */
  serial: string;
  partnerId: string;
  profile: string;
  call: DiaryCall;
}

/** Devices with unwritten calls; calls of further devices are dropped until these are written. */
const MAX_WAITING = 1000;
const WRITE_EVERY_MS = 5000;

const owners = statement(
  'device-owners',
  { place: 'int4', account_id: 'int8?' },
  `SELECT noted.place::int4 AS place, account_id
   FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS noted (scope, serial_hash, place)
   JOIN devices ON devices.scope = noted.scope AND devices.serial_hash = noted.serial_hash`,
).all((keys: readonly DeviceKey[]) => [keys.map(({ scope }) => scope), keys.map(({ hash }) => hash)]);

// Only a device linked to an account has a row here: nothing is stored for others.
const write = statement(
  'device-diary-write',
  {},
  `UPDATE account_devices AS kept SET seen_at = now(), partner_id = noted.partner_id, profile = noted.profile,
     calls = (SELECT coalesce(jsonb_agg(call), '[]') FROM (
       SELECT call FROM jsonb_array_elements(noted.calls || kept.calls) WITH ORDINALITY AS each (call, place)
       ORDER BY place LIMIT ${MAX_CALLS}) AS newest)
   FROM unnest($1::bigint[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::jsonb[])
     AS noted (account_id, scope, serial_hash, partner_id, profile, calls)
   WHERE kept.account_id = noted.account_id AND kept.scope = noted.scope
     AND kept.serial_hash = noted.serial_hash AND kept.dropped_at IS NULL`,
).command((notes: readonly (Written & { accountId: number })[]) => [
  notes.map(({ accountId }) => accountId),
  notes.map(({ key }) => key.scope),
  notes.map(({ key }) => key.hash),
  notes.map(({ partnerId }) => partnerId),
  notes.map(({ profile }) => profile),
  notes.map(({ calls }) => writeCalls(calls)),
]);

/** The calls of a device since the last write, under one spelling of its serial. */
interface Waiting {
  partnerId: string;
  profile: string;
  calls: RecentCalls<DiaryCall>;
}

/** Rows are locked as they come: other processes write the same ones, and must not meet in the middle. */
const byRow = (a: Written & { accountId: number }, b: Written & { accountId: number }): number =>
  a.accountId - b.accountId || a.key.hash.compare(b.key.hash);

/** The row written per device. */
interface Written {
  key: DeviceKey;
  partnerId: string;
  profile: string;
  calls: DiaryCall[];
}

/**
 * The last calls of the devices linked to accounts, for their owners to see. A call is only noted in memory; notes are
 * written in batches every few seconds, and those of unlinked devices are dropped by the statement. Serials are hashed
 * at that point, once per device: hashing on every call would cost a tenth of answering it. Until then they are in
 * memory as received. While MEMBER_KEY is being replaced, this is also when devices that called are stored under the new
 * key: nowhere else is their serial known.
 */
export class DeviceDiary implements AsyncDisposable {
  readonly #db: Pool;
  readonly #log: Log;
  readonly #keys: MemberKeys;
  readonly #timer: NodeJS.Timeout;
  /** By scope and serial. */
  #waiting = new Map<string, Map<string, Waiting>>();
  #size = 0;
  /** What is being written, and what waits for it. */
  #writing: Promise<void> | undefined;

  constructor(db: Pool, log: Log, keys: MemberKeys) {
    this.#db = db;
    this.#log = log;
    this.#keys = keys;
    this.#timer = setInterval(() => void (this.#writing ?? this.write()), WRITE_EVERY_MS).unref();
  }

  note({ scope, serial, partnerId, profile, call }: DiaryNote): void {
    const waiting = this.#waiting.get(scope)?.get(serial) ?? this.#begin(scope, serial);
    if (!waiting) return;
    waiting.partnerId = partnerId;
    waiting.profile = profile;
    waiting.calls.add(call);
  }

  #begin(scope: string, serial: string): Waiting | undefined {
    if (this.#size >= MAX_WAITING) return undefined;
    const waiting: Waiting = { partnerId: '', profile: '', calls: new RecentCalls() };
    this.#waiting.getOrInsertComputed(scope, () => new Map()).set(ownText(serial), waiting);
    this.#size += 1;
    return waiting;
  }

  /** Writes the pending notes, after those that are being written: the latest come first in a row. Failure is only logged. */
  write(): Promise<void> {
    const earlier = this.#writing ?? Promise.resolve();
    const writing = earlier
      .then(() => this.#writeNow())
      .finally(() => {
        if (this.#writing === writing) this.#writing = undefined;
      });
    this.#writing = writing;
    return writing;
  }

  async #writeNow(): Promise<void> {
    try {
      const notes = this.#takeWaiting();
      if (notes.length === 0) return;
      const keys = notes.map(({ key }) => key);
      await rehashDevices(this.#db, keys);
      const found = await owners(this.#db, keys);
      const owned = found.flatMap(({ place, account_id: accountId }) => {
        const note = notes[place - 1];
        return note && accountId !== null ? [{ ...note, accountId }] : [];
      });
      if (owned.length > 0) await write(this.#db, owned.toSorted(byRow));
    } catch (error) {
      this.#log.warn({ err: String(error) }, 'the latest calls of devices could not be stored');
    }
  }

  /** One per device, however many spellings of its serial were received. */
  #takeWaiting(): Written[] {
    const byDevice = new Map<string, Written>();
    for (const [scope, ofScope] of this.#waiting)
      for (const [serial, waiting] of ofScope) {
        const key = deviceKey(this.#keys, scope, serial);
        const name = `${scope} ${key.hash.toString('base64')}`;
        const { partnerId, profile } = waiting;
        const calls = [...waiting.calls.newestFirst(), ...(byDevice.get(name)?.calls ?? [])];
        const latest = calls.toSorted((a, b) => b.at - a.at).slice(0, MAX_CALLS);
        byDevice.set(name, { key, partnerId, profile, calls: latest });
      }
    this.#waiting = new Map();
    this.#size = 0;
    return [...byDevice.values()];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.write();
  }
}
