import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../../../scripts/services/service.ts';
import { closedPort } from './port-of.ts';

export interface Haproxy extends AsyncDisposable {
  port: number;
  pid: number;
  /** What it has logged so far. */
  log(): string;
  /** Calls that wait for a server which has as many as it answers at once. */
  waiting(): Promise<number>;
}

const EXAMPLE = join(import.meta.dirname, '../../../deploy/proxy/haproxy.cfg');

/** Without what needs the user and the folders of Debian's package; it logs to where its complaints go. */
export const withoutDebian = (text: string): string =>
  text
    .replaceAll(/^ {4}(?:user|group|chroot|stats socket) .*\n/gm, '')
    .replace('log /dev/log local0', 'log stderr format raw local0');

/** A storm is logged line by line. */
const MAX_LOG = 2 ** 20;

/**
 * Debian's HAProxy with our example in front of a server, but for the ports, the site's certificate and the core it runs on. A test
 * of who goes first may let calls wait for longer, so that a busy machine sends none of them away.
 */
export async function startHaproxy(
  servedPort: number,
  { core, queueMs }: { core?: number; queueMs?: number } = {},
): Promise<Haproxy> {
  const folder = mkdtempSync(join(tmpdir(), 'longwave-haproxy-'));
  const port = await closedPort();
  const file = join(folder, 'haproxy.cfg');
  const told = join(folder, 'statistics');
  const text = withoutDebian(readFileSync(EXAMPLE, 'utf8'))
    .replace(/^frontend site\n(?:^ .*\n)*/m, '')
    // Twice as many files, which a system service may have open.
    .replace('maxconn 50000', `maxconn 8000\n    stats socket ${told}`)
    .replace('bind :80', `bind 127.0.0.1:${port}`)
    .replaceAll('127.0.0.1:8700', `127.0.0.1:${servedPort}`)
    .replace(/timeout queue .*/, (line) => (queueMs === undefined ? line : `timeout queue ${queueMs}ms`));
  writeFileSync(file, text);
  const args = ['/usr/sbin/haproxy', '-db', '-f', file];
  const cores = core === undefined ? '0-63' : `${core}`;
  const child = spawn('taskset', ['-c', cores, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr
    .setEncoding('utf8')
    .on('data', (data: string) => (complaints = (complaints + data).slice(-MAX_LOG)));
  const isUp = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitUntil('HAProxy', isUp, 60_000).catch((error: unknown) => {
    child.kill('SIGTERM');
    throw new Error(complaints, { cause: error });
  });
  return {
    port,
    pid: child.pid ?? 0,
    log: () => complaints,
    waiting: () => countWaiting(told),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true });
    },
  };
}

/** A table whose first columns are a backend, a server of it, and who waits for that one. */
async function countWaiting(socketFile: string): Promise<number> {
  const socket = connect(socketFile).setEncoding('utf8');
  socket.write('show stat\n');
  let table = '';
  for await (const piece of socket) table += String(piece);
  const rows = table.split('\n').map((line) => line.split(','));
  return rows
    .filter(([backend]) => backend === 'longwave')
    .reduce((sum, [, , waiting]) => sum + Number(waiting), 0);
}
