import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import type { Log } from '../lib/log.ts';
import type { DeviceKey } from './serial-hash.ts';

/** One call of a device and what it was answered, in words that name nobody. */
export interface DiaryCall {
  /** When, in milliseconds since 1970. */
  at: number;
  /** `Tune s123`. */
  what: string;
  status: number;
  /** Of a refusal: its code and its text. */
  code?: string | undefined;
  answer?: string | undefined;
}

export interface DiaryNote {
  device: DeviceKey;
  partnerId: string;
  profile: string;
  call: DiaryCall;
}

/** Of each device. */
export const MOST_CALLS = 20;
/** Devices whose calls wait to be written; of others nothing is noted until these are. */
const MOST_WAITING = 1000;
const WRITE_EVERY_MS = 5000;

// Only a device that is joined to an account has a row here: of all others nothing is kept.
const write = statement(
  'device-diary-write',
  {},
  `UPDATE account_devices AS kept SET seen_at = now(), partner_id = noted.partner_id, profile = noted.profile,
     calls = (SELECT coalesce(jsonb_agg(call), '[]') FROM (
       SELECT call FROM jsonb_array_elements(noted.calls || kept.calls) WITH ORDINALITY AS each (call, place)
       ORDER BY place LIMIT ${MOST_CALLS}) AS newest)
   FROM unnest($1::text[], $2::bytea[], $3::text[], $4::text[], $5::jsonb[])
     AS noted (scope, serial_hash, partner_id, profile, calls)
   JOIN devices ON devices.scope = noted.scope AND devices.serial_hash = noted.serial_hash
   WHERE kept.account_id = devices.account_id AND kept.scope = devices.scope
     AND kept.serial_hash = devices.serial_hash AND kept.dropped_at IS NULL`,
);

interface Waiting {
  device: DeviceKey;
  partnerId: string;
  profile: string;
  /** The newest first. */
  calls: DiaryCall[];
}

/**
 * What the devices of accounts asked last, for their owners to see. A call only leaves a note in memory; notes are written
 * together a few seconds later, and those of devices that are no account's come to nothing there.
 */
export class DeviceDiary implements AsyncDisposable {
  readonly #db: Queryable;
  readonly #log: Log;
  readonly #timer: NodeJS.Timeout;
  #waiting = new Map<string, Waiting>();

  constructor(db: Queryable, log: Log) {
    this.#db = db;
    this.#log = log;
    this.#timer = setInterval(() => void this.write(), WRITE_EVERY_MS).unref();
  }

  note({ device, partnerId, profile, call }: DiaryNote): void {
    const key = `${device.scope} ${device.hash.toString('base64')}`;
    const known = this.#waiting.get(key);
    if (!known && this.#waiting.size >= MOST_WAITING) return;
    const calls = [call, ...(known?.calls ?? [])].slice(0, MOST_CALLS);
    this.#waiting.set(key, { device, partnerId, profile, calls });
  }

  /** Writes what waits. A diary that cannot be written is not worth more than a line in the log. */
  async write(): Promise<void> {
    const notes = [...this.#waiting.values()];
    if (notes.length === 0) return;
    this.#waiting = new Map();
    try {
      await write.run(this.#db, [
        notes.map(({ device }) => device.scope),
        notes.map(({ device }) => device.hash),
        notes.map(({ partnerId }) => partnerId),
        notes.map(({ profile }) => profile),
        notes.map(({ calls }) => JSON.stringify(calls)),
      ]);
    } catch (error) {
      this.#log.warn({ err: String(error) }, 'the last calls of devices could not be written down');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.write();
  }
}
