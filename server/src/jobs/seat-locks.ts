import { Client } from 'pg';

/**
 * One question for both: those given back are free for others before those taken are asked for. A line for each, and of
 * each a letter in answer: as arrays and rows they were more work than what they are for. A name must hold no line break.
 */
const GIVE_AND_TAKE = `SELECT string_agg(CASE WHEN done THEN 't' ELSE 'f' END, '' ORDER BY place) AS done FROM (
    SELECT place, CASE WHEN starts_with(line, '+') THEN pg_try_advisory_lock(key) ELSE pg_advisory_unlock(key) END AS done
    FROM string_to_table($1, E'\\n') WITH ORDINALITY AS u (line, place), hashtextextended(substr(u.line, 2), 0) AS key
  ) AS asked`;

/**
 * Locks by name that a connection of its own holds in PostgreSQL: they need no row and no clean-up, and are free when the
 * process is killed. The connection must be PostgreSQL's own, not one of a pooler that lends it out by transaction.
 */
export class SeatLocks implements AsyncDisposable {
  readonly #databaseUrl: string;
  #client: Promise<Client> | undefined;
  #isClosed = false;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  /** Which of those asked for are ours now, in their order. */
  async giveAndTake(given: readonly string[], asked: readonly string[]): Promise<boolean[]> {
    // A connection that closes late gives its seat back when all are free already; nobody would end one made for that.
    if (this.#isClosed) throw new Error('the worker is stopping');
    const connected = (this.#client ??= this.#connect());
    const client = await connected;
    const lines = [...given.map((name) => `-${name}`), ...asked.map((name) => `+${name}`)].join('\n');
    try {
      const { rows } = await client.query<{ done: string }>({
        name: 'locks-give-and-take',
        text: GIVE_AND_TAKE,
        values: [lines],
      });
      const done = rows[0]?.done ?? '';
      return asked.map((_, place) => done[given.length + place] === 't');
    } catch (error) {
      // Whether the locks are ours now is unknown; without the connection they are certainly not.
      this.#forget(connected);
      client.end().catch(() => undefined);
      throw error;
    }
  }

  /** One that ends late must not take along the next one, which nobody would close then, nor free what it holds. */
  #forget(connected: Promise<Client>): void {
    if (this.#client === connected) this.#client = undefined;
  }

  #connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.#databaseUrl,
      application_name: 'longwave seats',
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
