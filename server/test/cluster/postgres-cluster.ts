import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { waitUntil } from '../../../scripts/services/service.ts';
import { TEST_WAIT_FACTOR } from '../time/wait-factor.ts';
import type { Machine } from './machine.ts';
import { PATRONI_PORT, POSTGRES_PORT, WAL_DISK } from './patroni-settings.ts';
import { PRIMARY_PORT, REPLICA_PORT } from './proxy-settings.ts';

const WHOLE_MS = 30_000 * TEST_WAIT_FACTOR;
const ASK_MS = 2000;

/** A server as Patroni tells of it. */
interface Member {
  name: string;
  role: 'leader' | 'sync_standby' | 'replica';
  state: string;
  timeline?: number;
}

interface Surroundings {
  etcd: Machine;
  proxy: Machine;
  password: string;
  isSynchronous: boolean;
}

/** Three PostgreSQL servers under Patroni, etcd, and HAProxy in front of them, each on a machine of its own. */
export class PostgresCluster {
  readonly servers: readonly Machine[];
  readonly #around: Surroundings;

  constructor(servers: readonly Machine[], around: Surroundings) {
    this.servers = servers;
    this.#around = around;
  }

  /** By way of HAProxy, to the server that may write. */
  get url(): string {
    return this.#urlOf('longwave', `${this.#around.proxy.network.address}:${PRIMARY_PORT}`, 'longwave');
  }

  /** And to one of those that follow it. */
  get replicaUrl(): string {
    return this.#urlOf('longwave', `${this.#around.proxy.network.address}:${REPLICA_PORT}`, 'longwave');
  }

  /** Straight to one server, past HAProxy. */
  urlOf(server: Machine): string {
    return this.#urlOf('longwave', `${server.network.address}:${POSTGRES_PORT}`, 'longwave');
  }

  /** As its superuser, on that server. */
  administer(server: Machine, statement: string): Promise<Record<string, unknown>[]> {
    return ask(this.#urlOf('postgres', `${server.network.address}:${POSTGRES_PORT}`, 'postgres'), statement);
  }

  /** The server that leads, and those that follow, the synchronous one first. */
  async roles(): Promise<{ primary: Machine; replicas: Machine[] }> {
    const members = await this.members();
    const order = ['leader', 'sync_standby', 'replica'];
    const sorted = members.toSorted((a, b) => order.indexOf(a.role) - order.indexOf(b.role));
    const [primary, ...replicas] = sorted.map(({ name }) => this.#server(name));
    if (!primary || sorted[0]?.role !== 'leader') throw new Error('no server leads');
    return { primary, replicas };
  }

  /** As the first server tells that answers; none if none does. */
  async members(): Promise<Member[]> {
    const tell = async (server: Machine): Promise<Member[]> => {
      const signal = AbortSignal.timeout(ASK_MS);
      const response = await fetch(`http://${server.network.address}:${PATRONI_PORT}/cluster`, { signal });
      const { members }: { members: Member[] } = JSON.parse(await response.text());
      return members;
    };
    return Promise.any(this.servers.map(tell)).catch(() => []);
  }

  /** Until every server runs, one leads, and the others follow it. */
  async whole(withinMs = WHOLE_MS): Promise<void> {
    try {
      await waitUntil('the whole cluster', () => this.#isWhole().catch(() => false), withinMs);
    } catch (error) {
      throw new Error(`${JSON.stringify(await this.members())}\n${this.lastWords()}`, { cause: error });
    }
  }

  /** Its role owns the database and is not a superuser. */
  async makeDatabase(): Promise<void> {
    const { primary } = await this.roles();
    await this.administer(primary, `CREATE ROLE longwave LOGIN PASSWORD '${this.#around.password}'`);
    await this.administer(primary, 'CREATE DATABASE longwave OWNER longwave');
  }

  /** Its Patroni can neither renew that it leads nor follow, and its PostgreSQL replicates nothing; callers still reach it. */
  isolate(server: Machine): void {
    const others = [this.#around.etcd, ...this.servers].filter((one) => one !== server);
    server.network.cutOffFrom(others.map(({ network }) => network.address));
  }

  /** Nothing more fits on the disk that it writes every change to first, and somebody changes more than had room there. */
  async fillDisk(server: Machine): Promise<void> {
    fill(join(server.folder, WAL_DISK));
    await this.administer(server, MUCH).catch(() => undefined);
  }

  freeDisk({ folder }: Machine): void {
    rmSync(join(folder, WAL_DISK, BALLAST), { force: true });
  }

  /** What its programs said last, for a failure's message. */
  lastWords(): string {
    const { etcd, proxy } = this.#around;
    const all = [...this.servers, etcd, proxy];
    return all.map((one) => `${one.name}:\n${one.readLog().split('\n').slice(-25).join('\n')}`).join('\n\n');
  }

  async #isWhole(): Promise<boolean> {
    const members = await this.members();
    const count = (role: string): number => members.filter((one) => one.role === role).length;
    const isWaitedFor = !this.#around.isSynchronous || count('sync_standby') === 1;
    const timelines = new Set(members.map(({ timeline }) => timeline));
    if (members.length < this.servers.length || !isWaitedFor || timelines.size > 1) return false;
    const { primary } = await this.roles();
    const [row] = await this.administer(primary, FOLLOWERS);
    return row?.['followers'] === this.servers.length - 1;
  }

  #urlOf(user: string, host: string, database: string): string {
    return `postgres://${user}:${this.#around.password}@${host}/${database}`;
  }

  #server(name: string): Machine {
    const server = this.servers.find((one) => one.name === name);
    if (!server) throw new Error(`no server is named ${name}`);
    return server;
  }
}

const FOLLOWERS = "SELECT count(*)::int AS followers FROM pg_stat_replication WHERE state = 'streaming'";
/** Four megabytes that mean nothing to anybody. */
const MUCH = "SELECT pg_logical_emit_message(true, 'drill', repeat('x', 4 << 20))";
const BALLAST = 'ballast';

/** The server goes on writing meanwhile, so the last of it may not fit. */
function fill(disk: string): void {
  const { bavail, bsize } = statfsSync(disk);
  try {
    writeFileSync(join(disk, BALLAST), Buffer.alloc(bavail * bsize));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}

async function ask(connectionString: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: ASK_MS,
    query_timeout: ASK_MS * TEST_WAIT_FACTOR,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
