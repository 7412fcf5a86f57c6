import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { readSettings, resolveSettings, waitUntil, type Service, type Settings } from './service.ts';

const MISSING = 'Redis is not installed; on Debian: apt-get install redis-server';

export function redisService(folder: string): Service {
  const running = async (): Promise<string | undefined> => {
    const settings = readSettings(folder, 'redis');
    return settings && (await answers(settings)) ? urlOf(settings) : undefined;
  };
  return {
    name: 'Redis',
    variable: 'REDIS_URL',
    running,
    async up() {
      const already = await running();
      if (already) return { url: already, started: false };
      const settings = await resolveSettings(folder, 'redis');
      launch(folder, settings);
      await waitUntil('Redis', () => answers(settings));
      return { url: urlOf(settings), started: true };
    },
    async down() {
      const settings = readSettings(folder, 'redis');
      if (!settings || !(await answers(settings))) return false;
      await command(settings, 'SHUTDOWN NOSAVE').catch(() => undefined);
      await waitUntil("Redis's end", async () => !(await answers(settings)));
      rmSync(join(folder, 'redis.pid'), { force: true });
      return true;
    },
  };
}

const urlOf = ({ port, password }: Settings): string => `redis://:${password}@127.0.0.1:${port}`;

/** Not persistent: Redis contains only what may be lost. The password stays off the command line. */
function launch(folder: string, { port, password }: Settings): void {
  const config = join(folder, 'redis.conf');
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `requirepass ${password}`,
    'save ""',
    'appendonly no',
    'maxmemory 128mb',
    'maxmemory-policy allkeys-lru',
    `dir ${folder}`,
    `pidfile ${join(folder, 'redis.pid')}`,
  ];
  writeFileSync(config, `${lines.join('\n')}\n`, { mode: 0o600 });
  const program = ['/usr/bin/redis-server', '/usr/local/bin/redis-server'].find((path) => existsSync(path));
  if (!program) throw new Error(MISSING);
  const log = openSync(join(folder, 'redis.log'), 'a');
  spawn(program, [config], { detached: true, stdio: ['ignore', log, log] }).unref();
  closeSync(log);
}

async function answers(settings: Settings): Promise<boolean> {
  return command(settings, 'PING').then(
    (reply) => reply.includes('+PONG'),
    () => false,
  );
}

function command({ port, password }: Settings, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = '';
    const socket = createConnection({ host: '127.0.0.1', port, timeout: 2000 });
    socket.once('connect', () => socket.end(`AUTH ${password}\r\n${text}\r\n`));
    socket.on('data', (bytes) => (reply += bytes.toString()));
    socket.once('timeout', () => socket.destroy(new Error('Redis did not answer within 2 s')));
    socket.once('error', reject);
    socket.once('close', () => resolve(reply));
  });
}
