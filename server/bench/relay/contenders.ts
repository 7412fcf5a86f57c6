import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { closedPort } from '../../test/servers/port-of.ts';
import type { RelayedStream } from '../../src/core/streams/relay/relay-address.ts';
import { relayPaths } from './address.ts';

/** A server that sends a station on to listeners. */
export interface RelayContender extends AsyncDisposable {
  pids: readonly number[];
  port: number;
  paths: readonly string[];
}

interface StationPorts {
  port: number;
  securePort: number;
}

/** Ends with its disposal; what it prints first, if it prints anything. */
export async function startProcess(
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv = {},
): Promise<AsyncDisposable & { pid: number; said: Record<string, number>; child: ChildProcess }> {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    pid: child.pid ?? 0,
    said: JSON.parse(String(line)),
    child,
    [Symbol.asyncDispose]: () => stop(child),
  };
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

const here = (name: string): string => join(import.meta.dirname, name);

export async function startStation(folder: string): Promise<AsyncDisposable & StationPorts> {
  const { said, child } = await startProcess([process.execPath, here('station.ts'), folder]);
  const { port = 0, securePort = 0 } = said;
  return { port, securePort, [Symbol.asyncDispose]: () => stop(child) };
}

/** Ours: one connection for all listeners, or one for each. */
export async function startOurs(
  address: string,
  connections: 'each' | 'shared',
  listeners: number,
  folder: string,
  variant: RelayedStream['variant'] = 'c',
): Promise<RelayContender> {
  const { pid, said, child } = await startProcess(
    [process.execPath, here('run-relay.ts'), address, connections],
    { NODE_EXTRA_CA_CERTS: join(folder, 'ca') },
  );
  return {
    pids: [pid],
    port: said['port'] ?? 0,
    paths: relayPaths(listeners, variant),
    [Symbol.asyncDispose]: () => stop(child),
  };
}

/** Debian's Icecast as a relay of the same station. */
export async function startIcecastRelay(stationPort: number, folder: string): Promise<RelayContender> {
  const port = await closedPort();
  const file = join(folder, 'icecast.xml');
  writeFileSync(
    file,
    `<icecast><limits><clients>20000</clients><sources>5</sources><burst-size>65535</burst-size></limits>
     <authentication><source-password>x</source-password><admin-user>a</admin-user><admin-password>x</admin-password></authentication>
     <hostname>localhost</hostname><listen-socket><port>${port}</port><bind-address>127.0.0.1</bind-address></listen-socket>
     <relay><server>127.0.0.1</server><port>${stationPort}</port><mount>/live</mount><local-mount>/live</local-mount><on-demand>0</on-demand></relay>
     <paths><basedir>/usr/share/icecast2</basedir><logdir>${folder}</logdir><webroot>/usr/share/icecast2/web</webroot><adminroot>/usr/share/icecast2/admin</adminroot></paths>
     <logging><loglevel>1</loglevel></logging>
     <security><chroot>0</chroot><changeowner><user>nobody</user><group>nogroup</group></changeowner></security></icecast>`,
  );
  const child = spawn('icecast2', ['-c', file], { stdio: 'ignore' });
  await sleep(3000);
  return {
    pids: [child.pid ?? 0],
    port,
    paths: ['/live'],
    [Symbol.asyncDispose]: () => stop(child),
  };
}

/** nginx with a connection to the station for each listener. */
export async function startNginxProxy(securePort: number, folder: string): Promise<RelayContender> {
  const port = await closedPort();
  const own = join(folder, 'nginx');
  writeFileSync(
    `${own}.conf`,
    `user root; daemon off; worker_processes 1; pid ${own}.pid; error_log ${own}.log; worker_rlimit_nofile 20000;
     events { worker_connections 15000; }
     http {
       access_log off;
       client_body_temp_path ${own}-body; proxy_temp_path ${own}-proxy; fastcgi_temp_path ${own}-fastcgi;
       uwsgi_temp_path ${own}-uwsgi; scgi_temp_path ${own}-scgi;
       server { listen 127.0.0.1:${port}; location / { proxy_pass https://127.0.0.1:${securePort}; proxy_buffering off; } }
     }`,
  );
  const child = spawn('nginx', ['-e', `${own}.log`, '-c', `${own}.conf`], { stdio: 'ignore' });
  await sleep(1000);
  const workers = childrenOf(child.pid ?? 0);
  return {
    pids: [child.pid ?? 0, ...workers],
    port,
    paths: ['/live'],
    [Symbol.asyncDispose]: () => stop(child),
  };
}

export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
