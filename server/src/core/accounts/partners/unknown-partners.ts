import { ownText } from '../../../lib/memoize.ts';
import type { Log } from '../../../lib/log.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { type RowOf, statement } from '../../../storage/db/statement.ts';

/** What a call reveals about the kind of device; nothing about whose it is. */
export interface CallerKind {
  /** The id of its profile; `unknown` if none fits. */
  profile: string;
  userAgent: string | undefined;
}

/** In the table, and in memory until they are written. */
export const MAX_UNKNOWN_PARTNERS = 1000;
const WRITE_EVERY_MS = 10_000;
/** As long as an id can be that is registered. */
const MAX_ID_LENGTH = 64;
const MAX_AGENT_LENGTH = 40;

const write = statement(
  'unknown-partners-write',
  {},
  `INSERT INTO unknown_partners AS kept (id, calls, first_seen, last_seen, profile, agent)
   SELECT id, calls, first_seen, last_seen, profile, agent
   FROM unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::timestamptz[], $5::text[], $6::text[])
     AS noted (id, calls, first_seen, last_seen, profile, agent)
   ORDER BY id
   ON CONFLICT (id) DO UPDATE SET calls = kept.calls + excluded.calls,
     first_seen = least(kept.first_seen, excluded.first_seen), last_seen = greatest(kept.last_seen, excluded.last_seen),
     profile = excluded.profile, agent = excluded.agent`,
);
const prune = statement(
  'unknown-partners-prune',
  {},
  `DELETE FROM unknown_partners WHERE id IN (
     SELECT id FROM unknown_partners ORDER BY last_seen DESC, id DESC OFFSET ${MAX_UNKNOWN_PARTNERS})`,
);

interface Noted {
  calls: number;
  firstMs: number;
  lastMs: number;
  profile: string;
  agent: string;
}

/**
 * The partner ids that were refused because nobody registered them, for the operator to see. A call is only counted in
 * memory; counts are written every ten seconds.
 */
export class UnknownPartners implements AsyncDisposable {
  readonly #db: Queryable;
  readonly #log: Log;
  readonly #timer: NodeJS.Timeout;
  #noted = new Map<string, Noted>();

  constructor(db: Queryable, log: Log) {
    this.#db = db;
    this.#log = log;
    this.#timer = setInterval(() => void this.write(), WRITE_EVERY_MS).unref();
  }

  note(partnerId: string, { profile, userAgent }: CallerKind, nowMs = Date.now()): void {
    const id = plainId(partnerId);
    const noted = this.#noted.get(id);
    if (noted) {
      noted.calls += 1;
      noted.lastMs = nowMs;
    } else if (id !== '' && this.#noted.size < MAX_UNKNOWN_PARTNERS) {
      const agent = agentFamily(userAgent);
      this.#noted.set(ownText(id), { calls: 1, firstMs: nowMs, lastMs: nowMs, profile, agent });
    }
  }

  /** Writes the pending counts. Failure to write them is only logged. */
  async write(): Promise<void> {
    const noted = [...this.#noted];
    this.#noted = new Map();
    if (noted.length === 0) return;
    try {
      await write.run(this.#db, [
        noted.map(([id]) => id),
        noted.map(([, { calls }]) => calls),
        noted.map(([, { firstMs }]) => timeOf(firstMs)),
        noted.map(([, { lastMs }]) => timeOf(lastMs)),
        noted.map(([, { profile }]) => profile),
        noted.map(([, { agent }]) => agent),
      ]);
      await prune.run(this.#db, []);
    } catch (error) {
      this.#log.warn({ err: String(error) }, 'the calls of unregistered partners could not be counted');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.write();
  }
}

const timeOf = (ms: number): string => Temporal.Instant.fromEpochMilliseconds(ms).toString();

const plainId = (id: string): string => id.slice(0, MAX_ID_LENGTH).replaceAll(/[^!-~]/g, '?');

/** `Kodi/20.1 (Linux)` -> `Kodi`: a name with a version behind it is a program's; anything else may be private. */
export function agentFamily(userAgent = ''): string {
  const [, name = ''] = /^([a-z][\w.+ -]*?)(?:\/| v?)\d/i.exec(userAgent.slice(0, MAX_AGENT_LENGTH)) ?? [];
  return name;
}

const COLUMNS = {
  id: 'text',
  calls: 'int8',
  first_seen: 'timestamptz',
  last_seen: 'timestamptz',
  profile: 'text',
  agent: 'text',
} as const;
export type UnknownPartnerRow = RowOf<typeof COLUMNS>;

const NOT_REGISTERED = 'NOT EXISTS (SELECT FROM partners WHERE partners.id = unknown_partners.id)';
/** A page of ids that called and are still not registered, the newest first; `after` is the last id of the page before. */
export const listUnknownPartners = statement(
  'unknown-partners',
  COLUMNS,
  `SELECT ${Object.keys(COLUMNS).join(', ')} FROM unknown_partners
   WHERE ${NOT_REGISTERED} AND ($1 = '' OR (last_seen, id) < (SELECT last_seen, id FROM unknown_partners WHERE id = $1))
   ORDER BY last_seen DESC, id DESC LIMIT $2`,
).all((after: string, limit: number) => [after, limit]);

/** How many called within 30 days, and which one last. */
export const countUnknownPartners = statement(
  'unknown-partners-lately',
  { ids: 'int8', newest: 'text?' },
  `SELECT count(*) AS ids, (array_agg(id ORDER BY last_seen DESC, id DESC))[1] AS newest FROM unknown_partners
   WHERE last_seen > now() - interval '30 days' AND ${NOT_REGISTERED}`,
).one();
