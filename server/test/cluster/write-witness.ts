import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Machine } from './machine.ts';
import type { PostgresCluster } from './postgres-cluster.ts';

const PAUSE_MS = 100;
const GIVEN_UP_MS = 1500;
const TABLE = 'CREATE TABLE witnessed (id text PRIMARY KEY)';
/** A write is a transaction of its own, and says in which timeline it was made: each promotion begins a new one. */
const WRITE = {
  name: 'witness',
  text: `INSERT INTO witnessed VALUES ($1)
    RETURNING ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int AS timeline`,
};

/** A write that a server acknowledged. */
interface Acknowledged {
  id: string;
  server: string;
  timeline: number;
  sentMs: number;
  acknowledgedMs: number;
}

/**
 * Tries to write on every server, all the time and past HAProxy, as somebody would who knows nothing of who leads. Two servers
 * that both acknowledge are two primaries.
 */
export class WriteWitness {
  readonly acknowledged: Acknowledged[] = [];
  readonly #cluster: PostgresCluster;
  readonly #done = new AbortController();
  #running: Promise<unknown> | undefined;

  constructor(cluster: PostgresCluster) {
    this.#cluster = cluster;
  }

  async start(): Promise<void> {
    const { primary } = await this.#cluster.roles();
    const client = new Client({ connectionString: this.#cluster.urlOf(primary) });
    await client.connect();
    await client.query(TABLE);
    await client.end();
    this.#running = Promise.all(this.#cluster.servers.map((server) => this.#write(server)));
  }

  async stop(): Promise<void> {
    this.#done.abort();
    await this.#running;
  }

  /** Of what was acknowledged, what the server that leads now does not have. */
  async lost(): Promise<string[]> {
    const client = new Client({ connectionString: this.#cluster.url });
    await client.connect();
    const { rows } = await client.query<{ id: string }>('SELECT id FROM witnessed');
    await client.end();
    const there = new Set(rows.map(({ id }) => id));
    return this.acknowledged.filter(({ id }) => !there.has(id)).map(({ id }) => id);
  }

  /** Writes that a server acknowledged which had been sent after another one, of a later timeline, had acknowledged one. */
  splits(): string[] {
    const byTime = this.acknowledged.toSorted((a, b) => a.sentMs - b.sentMs);
    return byTime
      .filter(({ timeline, sentMs }) =>
        byTime.some((other) => other.timeline > timeline && other.acknowledgedMs < sentMs),
      )
      .map(({ id, timeline }) => `${id} in timeline ${timeline}`);
  }

  async #write(server: Machine): Promise<void> {
    let client: Client | undefined;
    for (let count = 0; !this.#done.signal.aborted; count += 1) {
      const id = `${server.name} ${count}`;
      const sentMs = performance.now();
      try {
        client ??= await this.#connect(server);
        const { rows } = await client.query<{ timeline: number }>({ ...WRITE, values: [id] });
        const timeline = rows[0]?.timeline ?? 0;
        const acknowledgedMs = performance.now();
        this.acknowledged.push({ id, server: server.name, timeline, sentMs, acknowledgedMs });
      } catch {
        client?.end().catch(() => undefined);
        client = undefined;
      }
      await sleep(PAUSE_MS);
    }
    await client?.end();
  }

  async #connect(server: Machine): Promise<Client> {
    const client = new Client({
      connectionString: this.#cluster.urlOf(server),
      connectionTimeoutMillis: GIVEN_UP_MS,
      query_timeout: GIVEN_UP_MS,
    });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }
}
