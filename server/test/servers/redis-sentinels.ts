import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { waitUntil } from '../../../scripts/services/service.ts';
import { closedPort } from './port-of.ts';

const NAME = 'songs';
export const PASSWORD = 'a password of sentinels, which protects nobody';
const SENTINELS = 3;
/** A server that is silent for so long is given up. */
const DOWN_MS = 1000;
const AGREED_MS = 180_000;

/** Two Redis servers, of which three sentinels choose the one that leads. */
export class SentinelRedis implements AsyncDisposable {
  readonly url: string;
  readonly #folder: string;
  readonly #servers: Map<number, ChildProcess>;
  readonly #sentinels: ReadonlyMap<number, ChildProcess>;

  private constructor(
    folder: string,
    servers: Map<number, ChildProcess>,
    sentinels: ReadonlyMap<number, ChildProcess>,
  ) {
    this.#folder = folder;
    this.#servers = servers;
    this.#sentinels = sentinels;
    const at = [...sentinels.keys()].map((port) => `127.0.0.1:${port}`).join(',');
    this.url = `redis+sentinel://:${encodeURIComponent(PASSWORD)}@${NAME}/0?sentinels=${at}`;
  }

  static async open(): Promise<SentinelRedis> {
    const folder = mkdtempSync(join(tmpdir(), 'longwave-sentinels-'));
    const [leader, follower] = [await closedPort(), await closedPort()];
    const servers = new Map([
      [leader, startServer(folder, leader)],
      [follower, startServer(folder, follower, leader)],
    ]);
    const sentinels = new Map<number, ChildProcess>();
    for (let number = 0; number < SENTINELS; number += 1) {
      const port = await closedPort();
      sentinels.set(port, startSentinel(folder, port, leader));
    }
    const opened = new SentinelRedis(folder, servers, sentinels);
    await opened.agreed();
    return opened;
  }

  /** Every sentinel knows the others, and a follower that could lead. */
  async agreed(): Promise<void> {
    const all = async (): Promise<boolean> => [...this.#sentinels.keys()].every(knowsAll);
    await waitUntil('sentinels that agree', () => all().catch(() => false), AGREED_MS);
  }

  /** The port of the server that leads, as the sentinels say. */
  leader(): number {
    const [sentinel = 0] = this.#sentinels.keys();
    return Number(ask(sentinel, 'SENTINEL', 'get-master-addr-by-name', NAME).split('\n')[1]);
  }

  async kill(port: number): Promise<void> {
    const server = this.#serverAt(port);
    server.kill('SIGKILL');
    await once(server, 'exit');
  }

  /** It follows whoever leads now, as soon as a sentinel sees it. */
  restart(port: number): void {
    this.#servers.set(port, startServer(this.#folder, port));
  }

  freeze(port: number): void {
    this.#serverAt(port).kill('SIGSTOP');
  }

  thaw(port: number): void {
    this.#serverAt(port).kill('SIGCONT');
  }

  /** What one of the servers holds. */
  async keys(port: number): Promise<string[]> {
    return this.#at(port, (redis) => redis.keys('*'));
  }

  async flush(): Promise<void> {
    await this.#at(this.leader(), (redis) => redis.flushall());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of [...this.#sentinels.values(), ...this.#servers.values()]) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(this.#folder, { recursive: true });
  }

  #serverAt(port: number): ChildProcess {
    const server = this.#servers.get(port);
    if (!server) throw new Error(`none of the servers has port ${port}`);
    return server;
  }

  async #at<T>(port: number, work: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis({ host: '127.0.0.1', port, password: PASSWORD, retryStrategy: () => null });
    redis.on('error', () => undefined);
    try {
      return await work(redis);
    } finally {
      redis.disconnect();
    }
  }
}

/** Whether this sentinel does. */
function knowsAll(port: number): boolean {
  const text = ask(port, 'SENTINEL', 'master', NAME);
  const field = (name: string): string => new RegExp(`^${name}\\n(.*)$`, 'm').exec(text)?.[1] ?? '';
  const isWell = field('flags') === 'master' && field('num-other-sentinels') === String(SENTINELS - 1);
  return isWell && /^master-link-status\nok$/m.test(ask(port, 'SENTINEL', 'replicas', NAME));
}

function startServer(folder: string, port: number, follows?: number): ChildProcess {
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'no',
    requirepass: PASSWORD,
    masterauth: PASSWORD,
    'repl-diskless-sync-delay': 0,
  };
  const follow = follows === undefined ? [] : ['--replicaof', '127.0.0.1', String(follows)];
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return spawn('redis-server', [...flags, ...follow], { stdio: 'ignore' });
}

function startSentinel(folder: string, port: number, leader: number): ChildProcess {
  const file = join(folder, `sentinel-${port}.conf`);
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor ${NAME} 127.0.0.1 ${leader} 2`,
    `sentinel auth-pass ${NAME} "${PASSWORD}"`,
    `sentinel down-after-milliseconds ${NAME} ${DOWN_MS}`,
    `sentinel failover-timeout ${NAME} 5000`,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  return spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
}

/** As `redis-cli` prints it: names and values, a line each. */
const ask = (port: number, ...command: string[]): string =>
  execFileSync('redis-cli', ['-p', String(port), ...command], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
