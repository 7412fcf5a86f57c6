import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dice } from '../fuzz/dice.ts';
import type { Machine } from './machine.ts';
import type { PostgresCluster } from './postgres-cluster.ts';

/** Something that befalls one server of a cluster, and how it is mended. */
export interface ClusterFault {
  name: string;
  /** Another server has to lead after it. */
  movesPrimary: boolean;
  /** It leads on for a while, in vain. */
  leavesPrimaryWriting?: boolean;
  /** Whom it befalls. */
  victim: 'primary' | 'standby';
  begin(cluster: PostgresCluster, server: Machine): void | Promise<void>;
  mend(cluster: PostgresCluster, server: Machine): void | Promise<void>;
}

const PATRONI = '/bin/patroni';
const reconnect = (_cluster: PostgresCluster, server: Machine): void => server.network.connect();
const thaw = (_cluster: PostgresCluster, server: Machine): void => server.thaw();

export const CLUSTER_FAULTS: readonly ClusterFault[] = [
  {
    name: 'the primary loses power',
    movesPrimary: true,
    victim: 'primary',
    begin: (_cluster, server) => server.kill(),
    mend: (_cluster, server) => server.start(),
  },
  {
    name: 'the primary is cut off from everybody',
    movesPrimary: true,
    victim: 'primary',
    begin: (_cluster, server) => server.network.cutOff(),
    mend: reconnect,
  },
  {
    name: 'the primary is cut off from etcd and the other servers, and callers still reach it',
    movesPrimary: true,
    leavesPrimaryWriting: true,
    victim: 'primary',
    begin: (cluster, server) => cluster.isolate(server),
    mend: reconnect,
  },
  {
    name: 'the primary stands still, and goes on when it was replaced',
    movesPrimary: true,
    victim: 'primary',
    begin: (_cluster, server) => server.freeze(),
    mend: thaw,
  },
  {
    name: "the primary's Patroni stands still, and its PostgreSQL goes on as if it led",
    movesPrimary: true,
    leavesPrimaryWriting: true,
    victim: 'primary',
    begin: (_cluster, server) => server.signalTitled(PATRONI, 'SIGSTOP'),
    mend: (_cluster, server) => server.signalTitled(PATRONI, 'SIGCONT'),
  },
  {
    name: "the primary's disk for its log of changes is full",
    movesPrimary: true,
    victim: 'primary',
    begin: (cluster, server) => cluster.fillDisk(server),
    mend: (cluster, server) => cluster.freeDisk(server),
  },
  {
    name: "the primary's PostgreSQL is killed",
    movesPrimary: false,
    victim: 'primary',
    begin: (_cluster, server) => killPostgres(server),
    mend: () => undefined,
  },
  {
    name: 'the synchronous standby stands still',
    movesPrimary: false,
    victim: 'standby',
    begin: (_cluster, server) => server.freeze(),
    mend: thaw,
  },
];

/** Its main process; the others end when they notice. */
function killPostgres(server: Machine): void {
  const file = readFileSync(join(server.folder, 'data/postmaster.pid'), 'utf8');
  process.kill(Number(file.split('\n', 1)[0]), 'SIGKILL');
}

/** So many of them in random order; each kind once before any comes again. */
export function pickFaults(count: number, dice: Dice): ClusterFault[] {
  const picked: ClusterFault[] = [];
  while (picked.length < count) {
    const deck = CLUSTER_FAULTS.map((fault) => ({ fault, at: dice.roll() }));
    picked.push(...deck.toSorted((a, b) => a.at - b.at).map(({ fault }) => fault));
  }
  return picked.slice(0, count);
}
