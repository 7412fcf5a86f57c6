import type { NetworkMachine } from './namespace-network.ts';

/** How a cluster commits. */
export interface ClusterOptions {
  /** A write is acknowledged when the primary and one more server have it; true unless told. */
  isSynchronous?: boolean;
  /** Nobody takes the lead from a primary that is only slow, as on a machine with much to do. */
  isPatient?: boolean;
}

/** docs/operations.md explains each of those that are not Patroni's own. */
const TIMES = { ttl: 6, loop_wait: 1, retry_timeout: 2, primary_start_timeout: 0 };
const PATIENT_TIMES = { ttl: 120, loop_wait: 1, retry_timeout: 30 };
export const POSTGRES_PORT = 5432;
export const PATRONI_PORT = 8008;
/** Where PostgreSQL writes every change first: a disk of its own, below the other. */
export const WAL_DISK = 'wal';
const ETCD_PORT = 2379;

const PARAMETERS = {
  max_connections: 100,
  shared_buffers: '64MB',
  max_wal_size: '64MB',
  min_wal_size: '2MB',
  wal_keep_size: '384MB',
  max_slot_wal_keep_size: '384MB',
  wal_log_hints: 'on',
  hot_standby_feedback: 'on',
  // Small segments (initdb), and none used again: a disk that is full is noticed when the next one is made, within seconds.
  wal_recycle: 'off',
  jit: 'off',
  // A standby that has fallen silent is given up so soon, and another is waited for instead.
  wal_sender_timeout: '4s',
  wal_receiver_timeout: '4s',
  wal_receiver_status_interval: '1s',
  // A standby asks a primary that is not there yet again so soon; saves wait for it.
  wal_retrieve_retry_interval: '500ms',
};

/** Of one server; YAML, of which JSON is a part. */
export function patroniSettings(
  node: PatroniNode,
  { isSynchronous = true, isPatient = false }: ClusterOptions,
): string {
  const { name, own: network, disk: folder, range, password } = node;
  const listenOn = (port: number) => ({
    listen: `${network.address}:${port}`,
    connect_address: `${network.address}:${port}`,
  });
  const wal = [{ waldir: `${folder}/${WAL_DISK}/segments` }];
  const parameters = { ...PARAMETERS, ...(!isSynchronous && ASYNCHRONOUS) };
  const dcs = {
    ...(isPatient ? PATIENT_TIMES : TIMES),
    maximum_lag_on_failover: 64 << 20,
    synchronous_mode: isSynchronous,
    synchronous_mode_strict: isSynchronous,
    postgresql: { use_pg_rewind: true, use_slots: true, parameters },
  };
  return JSON.stringify({
    scope: 'longwave',
    name,
    restapi: listenOn(PATRONI_PORT),
    // By etcd's second API. By the third one, Patroni 3.0.2 takes its leadership back from its successor when it goes on after
    // standing still (`_update_leader` of patroni/dcs/etcd3.py writes without comparing).
    etcd: { host: `${node.etcd}:${ETCD_PORT}` },
    bootstrap: {
      dcs,
      initdb: ['data-checksums', { encoding: 'UTF8' }, { locale: 'C.UTF-8' }, ...wal, { 'wal-segsize': '1' }],
    },
    postgresql: {
      ...listenOn(POSTGRES_PORT),
      data_dir: `${folder}/data`,
      bin_dir: '/usr/lib/postgresql/15/bin',
      pgpass: `${folder}/pgpass`,
      basebackup: [{ checkpoint: 'fast' }, ...wal],
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
        rewind: { username: 'rewinder', password },
      },
      parameters: { unix_socket_directories: folder },
      pg_hba: [
        'local all all trust',
        `host all all ${range} scram-sha-256`,
        `host replication replicator ${range} scram-sha-256`,
      ],
    },
  });
}

/** The primary alone decides. */
const ASYNCHRONOUS = { synchronous_commit: 'local' };

interface PatroniNode {
  name: string;
  own: NetworkMachine;
  /** The folder at which its disk is mounted. */
  disk: string;
  /** Of the network that all of them are in. */
  range: string;
  etcd: string;
  password: string;
}

/** One member. An operator runs three; the drill is about PostgreSQL, and this one stays. */
export const etcdCommand = (address: string, folder: string): string[] => [
  'etcd',
  '--enable-v2',
  `--data-dir=${folder}/data`,
  `--listen-client-urls=http://${address}:${ETCD_PORT}`,
  `--advertise-client-urls=http://${address}:${ETCD_PORT}`,
  `--listen-peer-urls=http://${address}:2380`,
  `--initial-advertise-peer-urls=http://${address}:2380`,
  `--initial-cluster=default=http://${address}:2380`,
  '--heartbeat-interval=200',
  '--election-timeout=2000',
];
