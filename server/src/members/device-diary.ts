import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import type { Log } from '../lib/log.ts';
import { ownText } from '../lib/own-text.ts';
import type { MemberKeys } from './keys.ts';
import { deviceKey } from './serial-hash.ts';

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
  /** Within which the serial is known. */
  scope: string;
  /** As the device spells it. */
  serial: string;
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

/** What one device asked since the last writing, under one spelling of its serial. */
interface Waiting {
  partnerId: string;
  profile: string;
  /** The latest, each in the place of the one that was noted `MOST_CALLS` before it. */
  calls: DiaryCall[];
  count: number;
}

/** What is written of one device. */
interface Written {
  scope: string;
  hash: Buffer;
  partnerId: string;
  profile: string;
  calls: DiaryCall[];
}

/**
 * What the devices of accounts asked last, for their owners to see. A call only leaves a note in memory; notes are written
 * together a few seconds later, and those of devices that are no account's come to nothing there. Only then are serials
 * hashed, once for each device: for every call that costs a tenth of answering it. Until then they are held as they came.
 */
export class DeviceDiary implements AsyncDisposable {
  readonly #db: Queryable;
  readonly #log: Log;
  readonly #keys: MemberKeys;
  readonly #timer: NodeJS.Timeout;
  /** By scope and serial. */
  #waiting = new Map<string, Map<string, Waiting>>();
  #size = 0;

  constructor(db: Queryable, log: Log, keys: MemberKeys) {
    this.#db = db;
    this.#log = log;
    this.#keys = keys;
    this.#timer = setInterval(() => void this.write(), WRITE_EVERY_MS).unref();
  }

  note({ scope, serial, partnerId, profile, call }: DiaryNote): void {
    const waiting = this.#waiting.get(scope)?.get(serial) ?? this.#begin(scope, serial);
    if (!waiting) return;
    waiting.partnerId = partnerId;
    waiting.profile = profile;
    waiting.calls[waiting.count % MOST_CALLS] = call;
    waiting.count += 1;
  }

  #begin(scope: string, serial: string): Waiting | undefined {
    if (this.#size >= MOST_WAITING) return undefined;
    let ofScope = this.#waiting.get(scope);
    if (!ofScope) this.#waiting.set(scope, (ofScope = new Map()));
    const waiting: Waiting = { partnerId: '', profile: '', calls: [], count: 0 };
    ofScope.set(ownText(serial), waiting);
    this.#size += 1;
    return waiting;
  }

  /** Writes what waits. A diary that cannot be written is not worth more than a line in the log. */
  async write(): Promise<void> {
    const notes = this.#takeWaiting();
    if (notes.length === 0) return;
    try {
      await write.run(this.#db, [
        notes.map(({ scope }) => scope),
        notes.map(({ hash }) => hash),
        notes.map(({ partnerId }) => partnerId),
        notes.map(({ profile }) => profile),
        notes.map(({ calls }) => JSON.stringify(calls)),
      ]);
    } catch (error) {
      this.#log.warn({ err: String(error) }, 'the last calls of devices could not be written down');
    }
  }

  /** One for each device, however many spellings of its serial came. */
  #takeWaiting(): Written[] {
    const byDevice = new Map<string, Written>();
    for (const [scope, ofScope] of this.#waiting)
      for (const [serial, waiting] of ofScope) {
        const { hash } = deviceKey(this.#keys, scope, serial);
        const key = `${scope} ${hash.toString('base64')}`;
        const { partnerId, profile } = waiting;
        const calls = [...newestFirst(waiting), ...(byDevice.get(key)?.calls ?? [])];
        const latest = calls.toSorted((a, b) => b.at - a.at).slice(0, MOST_CALLS);
        byDevice.set(key, { scope, hash, partnerId, profile, calls: latest });
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

const newestFirst = ({ calls, count }: Waiting): DiaryCall[] =>
  calls.map((_call, place) => calls[(count - 1 - place) % calls.length]!);
