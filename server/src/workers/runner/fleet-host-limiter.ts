import { Client } from 'pg';
import type { Waiting } from '../../net/fetch/deadline.ts';
import { HostBusy, HostLimiter } from '../../net/fetch/host-limiter.ts';
import { Batcher } from './batcher.ts';

/*
 * Limits the concurrent connections to a host, over all workers that share a database.
 *
 * A host has two slots, 0 and 1, each an advisory lock of PostgreSQL. As one worker sees it, a slot is
 *
 *   free        not ours; whether another worker holds it is only known by trying
 *   requested   its bit is set here, and the lock request goes out with the next batch
 *   held        the lock is this worker's, and a socket is open or about to be
 *   released    the socket closed; the unlock goes out with the next batch, and the bit stays set until it is confirmed
 *
 * A request moves a slot from free to held, or back to free when another worker holds it. There is no queue across
 * workers: the caller puts its work off and claims something else. Within a worker at most two requests per host are
 * sent; the others wait here for their turn. The closing socket moves the slot from held to released, the next batch to
 * free: it unlocks before it locks. The bits are needed because PostgreSQL grants a connection the same lock as often
 * as it asks.
 *
 * Nothing survives a crash, and nothing has to: locks end with the connection, so those of a killed worker are free
 * within milliseconds, where rows with an expiry would need a clean-up and a wait. When the connection alone is lost,
 * open sockets stay open until their work ends, and other workers may take the same slots: for those seconds a host can
 * see two more connections.
 *
 * Measured (docs/probing.md, ADR 17): 10 to 15 µs of CPU per stream, because one statement requests hundreds; without
 * it a worker comes to 0.02 more of what bare connections take. Passing a slot from one stream of a host to the next
 * without the database made no difference, and was one more way to leak a lock.
 */

const CONNECTIONS_PER_HOST = 2;
const MAX_QUEUE = 100;
/**
 * How long a request for a slot waits for others to be sent with it: little beside a connection, and far fewer
 * queries.
 */
const LINGER_MS = 5;
const MAX = 500;

/** One slot of a host over the fleet, and with it the one in this process. */
interface Held {
  readonly host: string;
  readonly number: number;
  readonly here: Disposable;
}

/** Hosts come from parsed addresses, and contain no space. Two whose keys collide share their slots. */
const nameOf = ({ host, number }: Held): string => `${number} ${host}`;

class HostSlot implements Disposable {
  readonly #give: (held: Held) => void;
  #held: Held | undefined;

  constructor(give: (held: Held) => void, held: Held) {
    this.#give = give;
    this.#held = held;
  }

  [Symbol.dispose](): void {
    if (this.#held) this.#give(this.#held);
    this.#held = undefined;
  }
}

/**
 * At most two connections per host over all workers that share the database. Locks are taken and released in batches.
 */
export class FleetHostLimiter implements AsyncDisposable {
  readonly #locks: HostLocks;
  readonly #here = new HostLimiter(CONNECTIONS_PER_HOST, MAX_QUEUE);
  /**
   * The slots that this process holds, one bit each per host: PostgreSQL would grant one connection the same lock
   * twice.
   */
  readonly #numbers = new Map<string, number>();
  /** Released here, but the database does not know it yet. */
  #released: Held[] = [];
  /** Undefined marks a batch entry that only releases locks. */
  readonly #requests = new Batcher<Held | undefined, boolean>((asked) => this.#ask(asked), MAX, LINGER_MS);

  constructor(databaseUrl: string) {
    this.#locks = new HostLocks(databaseUrl);
  }

  /** Throws HostBusy when others hold both: there is no queue across processes, the work is put off instead. */
  async take(host: string, waiting: Waiting): Promise<Disposable> {
    const here = await this.#here.take(host, waiting);
    try {
      for (let number = 0; number < CONNECTIONS_PER_HOST; number += 1) {
        const held = { host, number, here };
        if (await this.#isLocked(held)) return new HostSlot(this.#give, held);
      }
      throw new HostBusy(`other workers already have two connections to ${host}`);
    } catch (error) {
      here[Symbol.dispose]();
      throw error;
    }
  }

  async #isLocked(held: Held): Promise<boolean> {
    const { host, number } = held;
    const numbers = this.#numbers.get(host) ?? 0;
    if ((numbers & (1 << number)) !== 0) return false;
    this.#numbers.set(host, numbers | (1 << number));
    let isOurs = false;
    try {
      isOurs = await this.#requests.add(held);
      return isOurs;
    } finally {
      if (!isOurs) this.#forget(host, number);
    }
  }

  #forget(host: string, number: number): void {
    const numbers = (this.#numbers.get(host) ?? 0) & ~(1 << number);
    if (numbers === 0) this.#numbers.delete(host);
    else this.#numbers.set(host, numbers);
  }

  readonly #give = (held: Held): void => {
    // If the release fails, the connection is lost, and its locks with it.
    if (this.#released.length === 0) this.#requests.add(undefined).catch(() => undefined);
    this.#released.push(held);
  };

  async #ask(asked: readonly (Held | undefined)[]): Promise<boolean[]> {
    const released = this.#released;
    this.#released = [];
    const wanted = asked.filter((one) => one !== undefined);
    if (released.length + wanted.length === 0) return asked.map(() => true);
    try {
      const isTaken = await this.#locks.unlockAndLock(released.map(nameOf), wanted.map(nameOf));
      const taken = new Set(wanted.filter((_, place) => isTaken[place]));
      return asked.map((one) => !one || taken.has(one));
    } finally {
      for (const { host, number, here } of released) {
        this.#forget(host, number);
        here[Symbol.dispose]();
      }
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#locks[Symbol.asyncDispose]();
  }
}

/**
 * One statement for both: released locks are free for others before new ones are requested. One name per line, and one
 * character per name in the answer: arrays and rows cost more than the locks. A name must not contain a line break.
 */
const UNLOCK_AND_LOCK = `SELECT string_agg(CASE WHEN done THEN 't' ELSE 'f' END, '' ORDER BY place) AS done FROM (
    SELECT place, CASE WHEN starts_with(line, '+') THEN pg_try_advisory_lock(key) ELSE pg_advisory_unlock(key) END AS done
    FROM string_to_table($1, E'\\n') WITH ORDINALITY AS u (line, place), hashtextextended(substr(u.line, 2), 0) AS key
  ) AS asked`;

/**
 * Named locks that a dedicated connection holds in PostgreSQL: they need no row and no clean-up, and are free when the
 * process is killed. It must be a direct connection, not one through a pooler that shares it by transaction.
 */
class HostLocks implements AsyncDisposable {
  readonly #databaseUrl: string;
  #client: Promise<Client> | undefined;
  #isClosed = false;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  /** Which of the requested locks we got, in their order. */
  async unlockAndLock(given: readonly string[], asked: readonly string[]): Promise<boolean[]> {
    // A socket that closes late releases its slot when all are free already; a connection opened for that would leak.
    if (this.#isClosed) throw new Error('the worker is stopping');
    const connected = (this.#client ??= this.#connect());
    const client = await connected;
    const lines = [...given.map((name) => `-${name}`), ...asked.map((name) => `+${name}`)].join('\n');
    try {
      const { rows } = await client.query<{ done: string }>({
        name: 'locks-give-and-take',
        text: UNLOCK_AND_LOCK,
        values: [lines],
      });
      const done = rows[0]?.done ?? '';
      return asked.map((_, place) => done[given.length + place] === 't');
    } catch (error) {
      // Whether we hold the locks is unknown; closing the connection makes sure that we do not.
      this.#forget(connected);
      client.end().catch(() => undefined);
      throw error;
    }
  }

  /** A connection that ends late must not discard its successor, which would leak, nor release the locks it holds. */
  #forget(connected: Promise<Client>): void {
    if (this.#client === connected) this.#client = undefined;
  }

  #connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.#databaseUrl,
      application_name: 'longwave host slots',
      connectionTimeoutMillis: 5000,
      query_timeout: 5000,
      keepAlive: true,
    });
    const connected = client.connect().then(() => client);
    const forget = (): void => this.#forget(connected);
    client.on('error', forget);
    client.on('end', forget);
    connected.catch(forget);
    return connected;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
  }
}
