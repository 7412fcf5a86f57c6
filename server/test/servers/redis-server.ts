import { type ChildProcess, spawn } from 'node:child_process';
import { Redis } from 'ioredis';

/** A Redis of a test's own, which forgets everything when it ends. */
export function spawnRedis(port: number, ...settings: readonly string[]): ChildProcess {
  const all = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...settings];
  return spawn('redis-server', [...all, '--dir', '/tmp'], { stdio: 'ignore' });
}

/** The same, as soon as it answers. */
export async function startRedis(port: number, ...settings: readonly string[]): Promise<ChildProcess> {
  const redis = spawnRedis(port, ...settings);
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  await client.ping();
  client.disconnect();
  return redis;
}
