import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../../../scripts/services/service.ts';
import { memberKeys } from '../../../src/core/accounts/keys.ts';
import type { ClusterFault } from '../../cluster/faults.ts';
import { MenuReaders, type MenusRead } from '../../cluster/menu-readers.ts';
import type { ClusterOptions } from '../../cluster/patroni-settings.ts';
import { type RunningCluster, startCluster } from '../../cluster/start-cluster.ts';
import { WriteGaps } from '../../cluster/write-gaps.ts';
import { WriteWitness } from '../../cluster/write-witness.ts';
import { poolOf } from '../../database/database-server.ts';
import { fillPrivate } from '../../database/fill-private.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';
import { type Ledger, readLedger } from './preset-ledger.ts';
import { PARTNER, Writers } from './preset-writers.ts';

const STATIONS = 40;
const MEMBER_KEY = 'a key for drills, which protects nobody';
/** More devices than elsewhere: saves of one device wait for each other, and each for a second server. */
const DEVICES = 128;
export const SAVES_PER_SECOND = Number(process.env['CLUSTER_SAVES'] ?? 100);
export const MENUS_PER_SECOND = Number(process.env['CLUSTER_MENUS'] ?? 500);
/** While no server takes them saves are answered after a second or two, and the others are sent all the same. */
const WRITERS = Math.max(32, SAVES_PER_SECOND);
/** Long enough for HAProxy, Patroni and PostgreSQL to notice. */
const MIN_HOLD_MS = 5000;
const MOVED_MS = 60_000;
const HEALED_MS = 60_000;
const HEALED_WRITES = 50;

/** The service in front of a cluster, whoever saves and reads, and who watches what the servers themselves take. */
export class ClusterBench implements AsyncDisposable {
  readonly cluster: RunningCluster;
  readonly writers: Writers;
  readonly witness: WriteWitness;
  readonly #service: ServiceProcess;

  private constructor(cluster: RunningCluster, service: ServiceProcess, stations: readonly string[]) {
    this.cluster = cluster;
    this.#service = service;
    this.writers = new Writers(() => service.origin, stations, {
      count: WRITERS,
      devices: DEVICES,
      perSecond: SAVES_PER_SECOND,
    });
    this.witness = new WriteWitness(cluster);
  }

  static async open(options: ClusterOptions = {}): Promise<ClusterBench> {
    await using opened = new AsyncDisposableStack();
    const cluster = opened.use(await startCluster(options));
    const stations = (await fillPrivate(cluster.url, PARTNER)).slice(0, STATIONS);
    const service = await startService(cluster.url, { MEMBER_KEY, DATABASE_WAIT_FACTOR: '1' });
    opened.move();
    return new ClusterBench(cluster, service, stations);
  }

  /** Saves and reads for as long as the work takes; gives how readers were answered, and how long it took. */
  async during(work: () => Promise<void>): Promise<MenusRead> {
    await using readers = new MenuReaders(this.#service.origin, MENUS_PER_SECOND);
    await this.witness.start();
    try {
      await this.writers.during(async () => {
        await this.writers.healed(HEALED_MS);
        await work();
      });
    } finally {
      await this.witness.stop();
    }
    return await readers.stop();
  }

  /** One fault, until it is mended and the cluster is whole again. */
  async befall(fault: ClusterFault): Promise<{ backAfter: number; longest: number }> {
    const { primary, replicas } = await this.cluster.roles();
    const server = fault.victim === 'primary' ? primary : (replicas[0] ?? primary);
    using gaps = new WriteGaps(() => this.writers.acknowledged);
    gaps.begin();
    await fault.begin(this.cluster, server);
    await sleep(MIN_HOLD_MS);
    if (fault.movesPrimary)
      await waitUntil(
        'another primary',
        async () => (await this.cluster.roles().catch(() => undefined))?.primary !== server,
        MOVED_MS,
      );
    await this.writers.healed(HEALED_MS, HEALED_WRITES);
    const measured = gaps.measured();
    await fault.mend(this.cluster, server);
    await this.cluster.whole();
    await this.writers.healed(HEALED_MS, HEALED_WRITES);
    return measured;
  }

  /** What the server that leads now holds, against what was acknowledged. */
  async ledger(): Promise<Ledger> {
    const pool = poolOf(this.cluster.url, 1);
    try {
      return await readLedger(pool, memberKeys(MEMBER_KEY), this.writers.told.values());
    } finally {
      await pool.end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service[Symbol.asyncDispose]();
    await this.cluster[Symbol.asyncDispose]();
  }
}
