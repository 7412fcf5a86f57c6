import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { NoSeat, Seats } from '../lib/fetch-safely/seats.ts';
import { Gather } from './gather.ts';

const SEATS_PER_HOST = 2;
const LONGEST_LINE = 100;

/**
 * Two at once of a host over all workers that share the database. A seat is an advisory lock of a connection: it needs
 * no row and no clean-up, and when a worker is killed PostgreSQL gives its seats to others. Locks are asked for and given
 * back many at a time. The connection must be PostgreSQL's own, not one of a pooler that lends it out by transaction.
 */
export class FleetSeats implements AsyncDisposable {
  readonly #databaseUrl: string;
  readonly #here = new Seats(SEATS_PER_HOST, LONGEST_LINE);
  /** Keys of the seats that this process holds: the same connection would be given the same lock twice. */
  readonly #held = new Set<bigint>();
  readonly #takes = new Gather<bigint, boolean>((keys) => this.#ask('pg_try_advisory_lock', keys));
  readonly #gives = new Gather<bigint, boolean>((keys) => this.#ask('pg_advisory_unlock', keys));
  #client: Promise<Client> | undefined;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  /** Throws NoSeat when others hold both: there is no line across processes, the work is put off instead. */
  async take(host: string, signal: AbortSignal): Promise<Disposable> {
    const here = await this.#here.take(host, signal);
    try {
      const key = await this.#takeOne(host);
      return { [Symbol.dispose]: () => this.#give(key, here) };
    } catch (error) {
      here[Symbol.dispose]();
      throw error;
    }
  }

  async #takeOne(host: string): Promise<bigint> {
    for (let seat = 0; seat < SEATS_PER_HOST; seat += 1) {
      const key = keyOf(host, seat);
      if (this.#held.has(key)) continue;
      this.#held.add(key);
      if (await this.#isOurs(key)) return key;
    }
    throw new NoSeat(`other workers are asking ${host} already`);
  }

  async #isOurs(key: bigint): Promise<boolean> {
    let isOurs = false;
    try {
      isOurs = await this.#takes.add(key);
    } finally {
      if (!isOurs) this.#held.delete(key);
    }
    return isOurs;
  }

  #give(key: bigint, here: Disposable): void {
    const free = (): void => {
      this.#held.delete(key);
      here[Symbol.dispose]();
    };
    // Where it cannot be given back the connection is lost, and its locks with it.
    this.#gives.add(key).then(free, free);
  }

  async #ask(
    lock: 'pg_try_advisory_lock' | 'pg_advisory_unlock',
    keys: readonly bigint[],
  ): Promise<boolean[]> {
    const client = await (this.#client ??= this.#connect());
    const text = `SELECT ${lock}(u.key) AS done FROM unnest($1::bigint[]) WITH ORDINALITY AS u (key, place) ORDER BY u.place`;
    try {
      const { rows } = await client.query<{ done: boolean }>({
        name: lock,
        text,
        values: [keys.map(String)],
      });
      return rows.map(({ done }) => done);
    } catch (error) {
      // Whether the locks are ours now is unknown; without the connection they are certainly not.
      this.#client = undefined;
      client.end().catch(() => undefined);
      throw error;
    }
  }

  async #connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.#databaseUrl,
      application_name: 'longwave seats',
      connectionTimeoutMillis: 5000,
      query_timeout: 5000,
      keepAlive: true,
    });
    const forget = (): void => {
      this.#client = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    try {
      await client.connect();
      return client;
    } catch (error) {
      forget();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
  }
}

const keyOf = (host: string, seat: number): bigint =>
  createHash('sha256').update(`${seat} ${host}`).digest().readBigInt64BE();
