import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Machine } from './machine.ts';
import { type NamespaceNetwork, openNamespaceNetwork } from './namespace-network.ts';
import { type ClusterOptions, etcdCommand, patroniSettings, WAL_DISK } from './patroni-settings.ts';
import { PostgresCluster } from './postgres-cluster.ts';
import { proxySettings } from './proxy-settings.ts';

const NAMES = ['one', 'two', 'three'];
const [PROXY_NUMBER, ETCD_NUMBER, FIRST_NUMBER] = [2, 3, 11];

/** Ended with its scope. */
export type RunningCluster = PostgresCluster & AsyncDisposable;

/** Everything of it is in namespaces and a temporary folder, and goes with it. Needs root. */
export async function startCluster(options: ClusterOptions = {}): Promise<RunningCluster> {
  await using opened = new AsyncDisposableStack();
  // Not in TMPDIR: the account that PostgreSQL runs as must be able to walk there.
  const folder = mkdtempSync('/var/tmp/longwave-cluster-');
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const network = opened.use(openNamespaceNetwork());
  const add = (name: string, number: number, command: Command): Machine =>
    opened.use(addMachine(folder, network, name, number, command));
  const etcd = add('etcd', ETCD_NUMBER, etcdCommand);
  etcd.start();
  const password = randomBytes(12).toString('hex');
  const servers = NAMES.map((name, index) => {
    const server = add(name, FIRST_NUMBER + index, (_address, disk) => ['patroni', `${disk}/patroni.yml`]);
    server.addDisk(WAL_DISK);
    const { network: own, folder: disk } = server;
    const node = { name, own, disk, range: network.range, etcd: etcd.network.address, password };
    writeFileSync(join(disk, 'patroni.yml'), patroniSettings(node, options));
    return server;
  });
  for (const server of servers) server.start();
  const proxy = add('proxy', PROXY_NUMBER, (_address, disk) => HAPROXY.concat(`${disk}/haproxy.cfg`));
  const behind = servers.map(({ name, network: own }) => ({ name, address: own.address }));
  writeFileSync(join(proxy.folder, 'haproxy.cfg'), proxySettings(behind));
  proxy.start();
  const { isSynchronous = true } = options;
  const cluster = new PostgresCluster(servers, { etcd, proxy, password, isSynchronous });
  await cluster.whole();
  await cluster.makeDatabase();
  const kept = opened.move();
  return Object.assign(cluster, { [Symbol.asyncDispose]: () => kept.disposeAsync() });
}

const HAPROXY = ['/usr/sbin/haproxy', '-db', '-f'];

type Command = (address: string, disk: string) => string[];

function addMachine(
  folder: string,
  network: NamespaceNetwork,
  name: string,
  number: number,
  command: Command,
): Machine {
  const own = network.add(name, number);
  return new Machine(folder, name, own, (disk) => command(own.address, disk));
}
