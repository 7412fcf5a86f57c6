import type { Log } from '../../lib/log.ts';
import { ownText } from '../../lib/memoize.ts';
import { isPublicAddress } from '../../lib/public-address.ts';
import { truncateAddress } from '../../net/http/caller/addresses.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { type RowOf, statement } from '../../storage/db/statement.ts';
import { agentFamily } from '../accounts/partners/unknown-partners.ts';
import { type DiaryCall, MAX_CALLS, RecentCalls, writeCalls } from './recent-calls.ts';

/** Who called. */
interface NotedCaller {
  address: string;
  partnerId: string | undefined;
  userAgent: string | undefined;
  /** Asked only for a caller that is new since the last write: recognising a device costs more than noting its call. */
  profile: () => string;
}

/** In the table. */
export const MAX_RADIOS = 300;
/** Callers with unwritten calls; calls of further ones are dropped until these are written, a second later at most. */
const MAX_WAITING = 50;
const WRITE_EVERY_MS = 1000;
const PRUNE_EVERY_MS = 3_600_000;
const WARN_EVERY_MS = 60_000;
const MAX_PARTNER_LENGTH = 64;

const write = statement(
  'radios-write',
  {},
  `INSERT INTO radios AS kept (address, partner_id, agent, profile, seen_at, calls)
   SELECT address, partner_id, agent, profile, seen_at, calls
   FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::jsonb[])
     AS noted (address, partner_id, agent, profile, seen_at, calls)
   ORDER BY address, partner_id, agent
   ON CONFLICT (address, partner_id, agent) DO UPDATE SET profile = excluded.profile,
     seen_at = greatest(kept.seen_at, excluded.seen_at),
     calls = (SELECT jsonb_agg(call) FROM (
       SELECT call FROM jsonb_array_elements(excluded.calls || kept.calls) WITH ORDINALITY AS each (call, place)
       ORDER BY place LIMIT ${MAX_CALLS}) AS newest)`,
);
const prune = statement(
  'radios-prune',
  {},
  `DELETE FROM radios WHERE seen_at < now() - make_interval(hours => $1)
     OR (address, partner_id, agent) IN (
       SELECT address, partner_id, agent FROM radios ORDER BY seen_at DESC OFFSET ${MAX_RADIOS})`,
);

interface Waiting {
  partnerId: string;
  userAgent: string;
  profile: string;
  calls: RecentCalls<() => DiaryCall>;
}

/**
 * The latest calls of everything that called, for the operator. A call costs a look-up and a place in a ring; what it asked is put
 * into words when it is written, once a second.
 */
export class Radios implements AsyncDisposable {
  readonly #db: Queryable;
  readonly #log: Log;
  readonly #keepHours: number;
  readonly #timer: NodeJS.Timeout | undefined;
  /** By address; behind one address there may be several. */
  #waiting = new Map<string, Waiting[]>();
  #size = 0;
  #writing: Promise<void> | undefined;
  #prunedAtMs = -Infinity;
  #warnedAtMs = -Infinity;

  /** With 0 hours nothing is noted, and what is there is deleted. */
  constructor(db: Queryable, log: Log, keepHours: number) {
    this.#db = db;
    this.#log = log;
    this.#keepHours = keepHours;
    this.#timer = setInterval(() => this.#tick(), WRITE_EVERY_MS).unref();
  }

  note(caller: NotedCaller, call: () => DiaryCall): void {
    if (this.#keepHours === 0) return;
    const { address, partnerId = '', userAgent = '' } = caller;
    const others = this.#waiting.get(address);
    const known = others?.find((each) => each.partnerId === partnerId && each.userAgent === userAgent);
    (known ?? this.#begin(caller, others))?.calls.add(call);
  }

  #begin(
    { address, partnerId = '', userAgent = '', profile }: NotedCaller,
    others: Waiting[] | undefined,
  ): Waiting | undefined {
    if (this.#size >= MAX_WAITING || address === '') return undefined;
    this.#size += 1;
    const began = { partnerId, userAgent, profile: profile(), calls: new RecentCalls<() => DiaryCall>() };
    if (others) others.push(began);
    else this.#waiting.set(ownText(address), [began]);
    return began;
  }

  /** Where nobody calls, what is old leaves all the same. */
  #tick(): void {
    if (this.#size > 0 || performance.now() - this.#prunedAtMs > PRUNE_EVERY_MS) void this.write();
  }

  /** Writes the pending calls, unless that is under way, and deletes old ones. A failure is only logged. */
  write(): Promise<void> {
    this.#writing ??= this.#run(async () => {
      this.#prunedAtMs = performance.now();
      await this.#writeRows(this.#takeWaiting());
      await prune.run(this.#db, [this.#keepHours]);
    }).finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async #writeRows(rows: readonly Row[]): Promise<void> {
    if (rows.length > 0)
      await write.run(this.#db, [
        rows.map(({ address }) => address),
        rows.map(({ partnerId }) => partnerId),
        rows.map(({ agent }) => agent),
        rows.map(({ profile }) => profile),
        rows.map(({ calls }) => timeOf(calls)),
        rows.map(({ calls }) => writeCalls(calls)),
      ]);
  }

  async #run(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const nowMs = performance.now();
      if (nowMs - this.#warnedAtMs < WARN_EVERY_MS) return;
      this.#warnedAtMs = nowMs;
      this.#log.warn({ err: String(error) }, 'the latest calls of radios could not be stored');
    }
  }

  /** One row for each caller as it is shown: neighbours on the internet are one. */
  #takeWaiting(): Row[] {
    const rows = new Map<string, Row>();
    for (const [address, several] of this.#waiting)
      for (const { partnerId, userAgent, profile, calls } of several) {
        const row = {
          address: shownAddress(address),
          partnerId: shownId(partnerId),
          agent: agentFamily(userAgent),
        };
        const key = JSON.stringify(Object.values(row));
        const made = calls.newestFirst().map((call) => call());
        const latest = [...made, ...(rows.get(key)?.calls ?? [])].toSorted((a, b) => b.at - a.at);
        rows.set(key, { ...row, profile, calls: latest.slice(0, MAX_CALLS) });
      }
    this.#waiting = new Map();
    this.#size = 0;
    return [...rows.values()];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.write();
  }
}

interface Row {
  address: string;
  partnerId: string;
  agent: string;
  profile: string;
  calls: DiaryCall[];
}

/** Whole at home; of the internet only the network, as in the log. */
const shownAddress = (address: string): string =>
  isPublicAddress(address) ? truncateAddress(address) : address.slice(0, 45);

const shownId = (id: string): string => id.slice(0, MAX_PARTNER_LENGTH).replaceAll(/[^!-~]/g, '?');

const timeOf = ([newest]: readonly DiaryCall[]): string =>
  Temporal.Instant.fromEpochMilliseconds(newest?.at ?? 0).toString();

const COLUMNS = {
  address: 'text',
  partner_id: 'text',
  agent: 'text',
  profile: 'text',
  seen_at: 'timestamptz',
  calls: 'jsonb',
} as const;

/** What called lately, the latest first; of one address, or of all where it is empty. */
export const listRecentRadios = statement(
  'radios',
  COLUMNS,
  `SELECT ${Object.keys(COLUMNS).join(', ')} FROM radios WHERE $1 = '' OR address = $1
   ORDER BY seen_at DESC, address, partner_id, agent LIMIT ${MAX_RADIOS}`,
).all((address = '') => [address]);

export type RadioRow = RowOf<typeof COLUMNS>;
