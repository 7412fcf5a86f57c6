import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import type { Pool, PoolClient } from 'pg';

/**
 * How a call to PostgreSQL or Redis fails: the server refuses it; the connection is gone before it is sent; or it is done, and
 * the connection is gone before the answer.
 */
export const FAULTS = ['refused', 'cut', 'answer lost'] as const;
export type FaultKind = (typeof FAULTS)[number];

/** The calls that one request makes, and which of them fails. */
export class RequestCalls {
  readonly #failAt: number;
  readonly #kind: FaultKind;
  #running = 0;
  readonly names: string[] = [];
  /** What failed, for messages. */
  failed: string | undefined;

  constructor(failAt: number, kind: FaultKind) {
    this.#failAt = failAt;
    this.#kind = kind;
  }

  /** Some go on behind the answer. */
  get areOver(): boolean {
    return this.#running === 0;
  }

  async next<T>(name: string, send: (fault: FaultKind | undefined) => Promise<T>): Promise<T> {
    this.names.push(name);
    const fails = this.names.length === this.#failAt;
    if (fails) this.failed = name;
    this.#running += 1;
    try {
      return await send(fails ? this.#kind : undefined);
    } finally {
      this.#running -= 1;
    }
  }
}

const current = new AsyncLocalStorage<RequestCalls>();

/** Whatever is called inside of `request` is one of these calls. */
export const withCalls = <T>(calls: RequestCalls, request: () => Promise<T>): Promise<T> =>
  current.run(calls, request);

/** What the driver of PostgreSQL has, and its types do not tell. */
type Wired = PoolClient & { connection: { stream: { destroy(): void } } };
type Query = (...said: unknown[]) => Promise<unknown>;

/** From now on statements of a request can fail, on the pool and inside of transactions. */
export function makeFailable(pool: Pool): void {
  const connect = pool.connect.bind(pool);
  const taken = async (): Promise<PoolClient> => {
    const client = await connect();
    failClient(client);
    return client;
  };
  const query: Query = async (...said) => {
    const client = await taken();
    try {
      return await queryOf(client)(...said);
    } finally {
      client.release();
    }
  };
  Object.assign(pool, { connect: taken, query });
}

/** Of the many forms of the driver's function the one that is used here. */
function queryOf(client: PoolClient): Query {
  const query: Query = Reflect.get(client, 'query');
  return query.bind(client);
}

const failable = new WeakSet<PoolClient>();

function failClient(client: PoolClient): void {
  if (failable.has(client)) return;
  failable.add(client);
  const send = queryOf(client);
  const query: Query = (...said) => {
    const calls = current.getStore();
    if (!calls) return send(...said);
    return calls.next(nameOf(said[0]), (fault) => sendWith(client as Wired, fault, send, said));
  };
  Object.assign(client, { query });
}

async function sendWith(
  client: Wired,
  fault: FaultKind | undefined,
  send: Query,
  said: unknown[],
): Promise<unknown> {
  if (fault === 'refused') return send(REFUSED);
  if (fault === 'cut') client.connection.stream.destroy();
  const answer = await send(...said);
  if (fault === undefined) return answer;
  const ended = once(client, 'end');
  client.connection.stream.destroy();
  await ended;
  throw new Error('Connection terminated unexpectedly');
}

/** PostgreSQL itself says that it is about to stop, so that a transaction is as broken as it would be. */
const REFUSED = "DO $$ BEGIN RAISE EXCEPTION 'told to fail' USING ERRCODE = '57014'; END $$";

const nameOf = (said: unknown): string =>
  typeof said === 'object' && said !== null && 'name' in said ? String(said.name) : String(said);

/** The same for commands to Redis, of every connection in this process. */
export function makeRedisFailable(): Disposable {
  // eslint-disable-next-line @typescript-eslint/unbound-method
  const send = Redis.prototype.sendCommand;
  const failing: typeof send = function (this: Redis, command, stream) {
    const calls = current.getStore();
    if (!calls) return send.call(this, command, stream);
    return calls.next(`redis ${command.name}`, async (fault) => {
      if (fault === 'refused') throw new Error('LOADING Redis is loading the dataset in memory');
      if (fault === 'cut') throw new Error('Connection is closed.');
      const answer: unknown = await send.call(this, command, stream);
      if (fault === undefined) return answer;
      throw new Error('Connection is closed.');
    });
  };
  Redis.prototype.sendCommand = failing;
  return { [Symbol.dispose]: () => void (Redis.prototype.sendCommand = send) };
}
