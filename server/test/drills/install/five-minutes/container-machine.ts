import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CHECKOUT } from '../../../../../scripts/package/tree/checkout.ts';
import type { Containers } from '../../../../../scripts/package/image/containers.ts';
import { waitUntil } from '../../../time/wait-until.ts';
import { ROUTER } from './home-network.ts';

const run = promisify(execFile);

/** Longer than a start takes on a busy machine. */
const MAX_COMMAND_MS = 580_000;

/** What podman does otherwise by default is not possible everywhere: other limits, another runtime, a systemd to ask. */
const CONTAINERS_CONF = (folder: string): string => `
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
init_path = "/usr/bin/catatonit"
log_driver = "k8s-file"
[engine]
cgroup_manager = "cgroupfs"
runtime = "runc"
events_logger = "file"
[network]
network_backend = "netavark"
network_config_dir = "${folder}/networks"
`;

/** All that is started in it ends with it, health checks and name servers of podman among it. */
const APART = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
const into = (pid: number): string[] => [
  `--target=${pid}`,
  '--net',
  '--mount',
  `--pid=/proc/${pid}/ns/pid_for_children`,
];

/** A network of its own; what podman notes of networks and where it forwards from is seen here alone. */
const START = `
  for folder in /run/netns /run/containers; do mkdir -p $folder; mount -t tmpfs none $folder; done
  mount --bind resolv.conf /etc/resolv.conf
  echo 1 > /proc/sys/net/ipv4/ip_forward
  exec podman "$@"`;

/** A machine with Docker's commands, and a clone of the repository; its containers are podman's, as its API gives them. */
export interface ContainerMachine extends AsyncDisposable {
  /** Of a process in its network. */
  pid: number;
  /** Where the clone is. */
  clone: string;
  /** Runs what is typed in the clone. */
  type(command: string): Promise<string>;
}

export async function startContainerMachine(containers: Containers): Promise<ContainerMachine> {
  const folder = containers.folder('machine');
  const clone = join(folder, 'longwave');
  for (const each of ['networks', 'bin', 'longwave']) mkdirSync(join(folder, each));
  writeFileSync(join(folder, 'containers.conf'), CONTAINERS_CONF(folder));
  writeFileSync(join(folder, 'resolv.conf'), `nameserver ${ROUTER}\n`);
  // Debian's Compose is a program of its own.
  writeFileSync(join(folder, 'bin/docker'), '#!/bin/sh\nshift\nexec docker-compose "$@"\n');
  chmodSync(join(folder, 'bin/docker'), 0o755);
  cpSync(join(CHECKOUT, 'compose.yaml'), join(clone, 'compose.yaml'));
  const socket = `unix://${folder}/podman.sock`;
  const env = {
    PATH: `${folder}/bin:${process.env['PATH']}`,
    CONTAINERS_CONF: join(folder, 'containers.conf'),
    DOCKER_HOST: socket,
    COMPOSE_HTTP_TIMEOUT: '500',
    // It would ask a program of Docker to run commands in containers.
    COMPOSE_INTERACTIVE_NO_CLI: '1',
  };
  const serve = [...containers.storage, 'system', 'service', '--time=0', socket];
  const service = spawn('unshare', [...APART, 'sh', '-ec', START, 'sh', ...serve], {
    cwd: folder,
    env,
    stdio: 'ignore',
  });
  const ended = once(service, 'exit');
  const pid = service.pid ?? 0;
  const enter = (...command: string[]) =>
    run('nsenter', [...into(pid), `--wdns=${clone}`, ...command], {
      env,
      timeout: MAX_COMMAND_MS,
      maxBuffer: 2 ** 26,
    });
  const podman = (...args: string[]) => enter('podman', ...containers.storage, ...args);
  await waitUntil('the API of podman', () => enter('podman', '--url', socket, 'info'), 60_000);
  const stopping = new AbortController();
  const checks = checkHealth(podman, stopping.signal);
  return {
    pid,
    clone,
    type: async (command) => {
      const { stdout, stderr } = await enter('sh', '-c', command);
      return stdout + stderr;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await checks;
      await podman('rm', '--all', '--force', '--time', '0').catch(() => undefined);
      service.kill('SIGKILL');
      await ended;
    },
  };
}

/** Where there is no systemd, podman leaves it to others to run the health checks of containers. */
async function checkHealth(
  podman: (...args: string[]) => Promise<{ stdout: string }>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { stdout } = await podman('ps', '--quiet').catch(() => ({ stdout: '' }));
    for (const id of stdout.split('\n').filter(Boolean))
      await podman('healthcheck', 'run', id).catch(() => undefined);
    await sleep(1000);
  }
}
