import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { withDeadline } from '../../lib/deadlines/deadline.ts';
import type { Log } from '../../lib/log.ts';
import type { Queryable } from './pool.ts';
import { databaseWait } from './wait-factor.ts';
import { WalPositions } from './wal-positions.ts';

export interface ReplicaReadsOptions {
  primary: Pool;
  /** Of `DATABASE_READ_URL`; closed with this. */
  replicas: Pool;
  /** Told once when they cannot be had, and once when they answer again. */
  log?: Log | undefined;
  maxBehindMs?: number;
}

/** A listener does not notice, since menus of shows are kept for longer than that anyway. */
const MAX_BEHIND_MS = 5000;
const ASK_EVERY_MS = 1000;
/** Much less than a caller waits, so that there is time to ask the primary instead. */
const REPLICA_MS = 300;
/** After a replica was silent, nobody waits for one so long, and then one call before all others. */
const PAUSE_MS = 2000;
/** So many statements in a row may be too slow for a replica that has just spoken; then it is silent. */
const MAX_SLOW = 3;

const POSITION = { text: "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::int8 AS bytes" };
/** Null of a server that follows nobody: it was promoted, or is no replica. It may be a primary that was replaced. */
const REPLAYED = {
  text: `SELECT CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::int8 END AS bytes`,
};

/**
 * Statements that only read, and may miss what was saved in the last seconds: of a replica, if one is recent enough, and of
 * the primary otherwise. How old a replica is, is asked of each connection, since an address may lead to several of them.
 */
export class ReplicaReads implements Queryable, AsyncDisposable {
  readonly #primary: Pool;
  readonly #replicas: Pool;
  readonly #log: Log | undefined;
  readonly #maxBehindMs: number;
  readonly #positions = new WalPositions();
  readonly #checked = new WeakMap<PoolClient, { atMs: number; isRecent: boolean }>();
  readonly #timer: NodeJS.Timeout;
  #pausedUntilMs = 0;
  #isAsking = false;
  /** Statements since the last answer that took too long. */
  #slow = 0;
  #byReplica = 0;
  #byPrimary = 0;

  constructor({ primary, replicas, log, maxBehindMs = MAX_BEHIND_MS }: ReplicaReadsOptions) {
    this.#primary = primary;
    this.#replicas = replicas;
    this.#log = log;
    this.#maxBehindMs = maxBehindMs;
    this.#timer = setInterval(() => void this.#askPrimary(), ASK_EVERY_MS).unref();
    void this.#askPrimary();
  }

  /** Statements so far, by who answered them. */
  get counts(): { replica: number; primary: number } {
    return { replica: this.#byReplica, primary: this.#byPrimary };
  }

  async query<Row extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<Row>> {
    const answer = this.#mayAsk() ? await this.#ofReplica<Row>(config) : undefined;
    // A replica that finds nothing may have missed what is new, and that there is nothing would be remembered.
    if (answer && answer.rows.length > 0) {
      this.#byReplica += 1;
      return answer;
    }
    this.#byPrimary += 1;
    return this.#primary.query<Row>(config);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#replicas.end();
  }

  /** After a pause one call finds out whether replicas answer again; it alone waits for them if they do not. */
  #mayAsk(): boolean {
    const now = performance.now();
    if (now < this.#pausedUntilMs) return false;
    if (this.#pausedUntilMs > 0) this.#pausedUntilMs = now + PAUSE_MS;
    return true;
  }

  /**
   * Undefined if no replica could answer in time or none is recent. Also for any error: it may be the replica's alone, such as
   * a password, a table that has not arrived yet or a damaged page, and a bug of ours is an error of the primary too.
   */
  async #ofReplica<Row extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<Row> | undefined> {
    let client: PoolClient | undefined;
    let isOver = false;
    let isSent = false;
    const ask = async (): Promise<QueryResult<Row> | undefined> => {
      const connected = await this.#replicas.connect();
      // Nobody waits for it any more; the next one may have it.
      if (isOver) {
        connected.release();
        return undefined;
      }
      client = connected;
      if (!(await this.#isRecent(connected))) return undefined;
      isSent = true;
      return connected.query<Row>(config);
    };
    try {
      const answer = await withDeadline(
        ask(),
        databaseWait(REPLICA_MS),
        () => new Error('no replica answered'),
      );
      client?.release();
      this.#resume();
      return answer;
    } catch (error) {
      isOver = true;
      const hasAnswered = error instanceof Error && 'severity' in error;
      // A connection that was silent is closed: what it says later is an answer to nobody.
      client?.release(!hasAnswered);
      // Without a connection there is none to be had, also if that was said at once: of a wrong password, say.
      if (client && hasAnswered) this.#resume();
      else if (isSent && this.#slow + 1 < MAX_SLOW) this.#slow += 1;
      else this.#pause(error);
      return undefined;
    }
  }

  #pause(err: unknown): void {
    if (this.#pausedUntilMs === 0)
      this.#log?.warn({ err }, 'replicas (DATABASE_READ_URL) do not answer: the primary is asked instead');
    this.#pausedUntilMs = performance.now() + PAUSE_MS;
    this.#slow = 0;
  }

  #resume(): void {
    this.#slow = 0;
    if (this.#pausedUntilMs > 0) this.#log?.info('replicas answer again');
    this.#pausedUntilMs = 0;
  }

  async #isRecent(client: PoolClient): Promise<boolean> {
    const known = this.#checked.get(client);
    const now = performance.now();
    if (known && now - known.atMs < ASK_EVERY_MS) return known.isRecent;
    const { rows } = await client.query<{ bytes: number | null }>(REPLAYED);
    const bytes = rows[0]?.bytes ?? undefined;
    const isRecent = bytes !== undefined && this.#positions.behindMs(bytes) <= this.#maxBehindMs;
    this.#checked.set(client, { atMs: now, isRecent });
    return isRecent;
  }

  async #askPrimary(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const askedMs = performance.now();
    try {
      const { rows } = await this.#primary.query<{ bytes: number }>(POSITION);
      if (rows[0]) this.#positions.note(rows[0].bytes, askedMs);
    } catch {
      // It is away: what is known of it stays, and replicas go on answering.
    } finally {
      this.#isAsking = false;
    }
  }
}
