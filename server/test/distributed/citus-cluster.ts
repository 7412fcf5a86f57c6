import { appendFileSync, writeFileSync } from 'node:fs';
import { Client } from 'pg';
import { type PrivatePostgres, startPrivatePostgres } from '../database/private-postgres.ts';

/** One PostgreSQL of a Citus cluster on this machine. */
interface CitusNode {
  postgres: PrivatePostgres;
  port: number;
}

const SETTINGS = {
  shared_preload_libraries: 'citus',
  // Moves shards while they are written to.
  wal_level: 'logical',
  max_replication_slots: '20',
  max_worker_processes: '64',
  max_wal_size: '4GB',
  max_prepared_transactions: '200',
  // On the loopback there is nobody to hide from.
  'citus.node_conninfo': 'sslmode=disable',
  'citus.enable_statistics_collection': 'off',
  // A test has the database fail in the middle by a trigger.
  'citus.enable_unsafe_triggers': 'on',
};

async function startNode(settings: Readonly<Record<string, string>>): Promise<CitusNode> {
  await using opened = new AsyncDisposableStack();
  const postgres = opened.use(await startPrivatePostgres());
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await onNode(postgres.url, async (client) => {
    const { rows } = await client.query<{ access: string; configuration: string }>(
      "SELECT current_setting('hba_file') AS access, current_setting('config_file') AS configuration",
    );
    const [{ access, configuration } = { access: '', configuration: '' }] = rows;
    writeFileSync(access, 'host all all 127.0.0.1/32 trust\n');
    appendFileSync(configuration, lines.join(''));
  });
  await postgres.crash();
  await postgres.restart();
  opened.move();
  return { postgres, port: Number(new URL(postgres.url).port) };
}

/** As the superuser, who alone may create the extension and tell the nodes of each other. */
export async function onNode<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: superuserUrl(url) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export function superuserUrl(url: string): string {
  const asSuperuser = new URL(url);
  asSuperuser.username = 'postgres';
  return asSuperuser.href;
}

const portOf = (url: string): number => Number(new URL(url).port);

/** Makes the databases of these addresses, which have one name, one Citus cluster: the first is its coordinator. */
export async function joinDatabases(coordinator: string, workers: readonly string[]): Promise<void> {
  for (const url of [coordinator, ...workers])
    await onNode(url, (client) => client.query('CREATE EXTENSION IF NOT EXISTS citus'));
  await onNode(coordinator, async (client) => {
    await client.query("SELECT citus_set_coordinator_host('127.0.0.1', $1)", [portOf(coordinator)]);
    for (const url of workers) await addWorker(client, portOf(url));
  });
}

const addWorker = (client: Client, port: number) =>
  client.query("SELECT citus_add_node('127.0.0.1', $1)", [port]);

/** A coordinator and its workers, real processes on the loopback. */
export class CitusCluster implements AsyncDisposable {
  readonly coordinator: PrivatePostgres;
  readonly workers: PrivatePostgres[];
  readonly #settings: Readonly<Record<string, string>>;

  private constructor(
    coordinator: PrivatePostgres,
    workers: PrivatePostgres[],
    settings: Readonly<Record<string, string>>,
  ) {
    this.coordinator = coordinator;
    this.workers = workers;
    this.#settings = settings;
  }

  static async start({
    workers = 2,
    settings = {},
  }: { workers?: number; settings?: Record<string, string> } = {}): Promise<CitusCluster> {
    const all = { ...SETTINGS, ...settings };
    await using opened = new AsyncDisposableStack();
    const nodes: PrivatePostgres[] = [];
    for (let node = 0; node <= workers; node += 1) nodes.push(opened.use((await startNode(all)).postgres));
    const [coordinator, ...rest] = nodes;
    if (!coordinator) throw new Error('there is no coordinator');
    opened.move();
    return new CitusCluster(coordinator, rest, all);
  }

  /** The coordinator's database, as the service uses it. */
  get url(): string {
    return this.coordinator.url;
  }

  /** The service's own database on all nodes. */
  join(): Promise<void> {
    return joinDatabases(
      this.url,
      this.workers.map(({ url }) => url),
    );
  }

  async addWorker(): Promise<PrivatePostgres> {
    const { postgres, port } = await startNode(this.#settings);
    this.workers.push(postgres);
    await onNode(postgres.url, (client) => client.query('CREATE EXTENSION citus'));
    await onNode(this.url, (client) => addWorker(client, port));
    return postgres;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const node of [this.coordinator, ...this.workers]) await node[Symbol.asyncDispose]();
  }
}
