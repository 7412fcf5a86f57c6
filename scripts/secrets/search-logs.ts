import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Something that was written while the tests ran. */
export interface Written {
  name: string;
  text: string;
}

export interface Found {
  secret: string;
  where: string;
}

/** Each secret once for every place that contains it, as it is or URL-encoded. */
export function findSecrets(secrets: readonly string[], places: readonly Written[]): Found[] {
  return places.flatMap(({ name, text }) =>
    secrets
      .filter((secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)))
      .map((secret) => ({ secret, where: name })),
  );
}

/** The service's logs, the database's, and everything in Redis. */
export function writtenByTests(logs: string, services: string, redisUrl: string): Written[] {
  const own = readdirSync(logs).map((file) => ({
    name: `the log of test process ${file}`,
    text: read(join(logs, file)),
  }));
  return [
    ...own,
    { name: "PostgreSQL's log", text: read(join(services, 'postgres.log')) },
    { name: "Redis' log", text: read(join(services, 'redis.log')) },
    { name: 'Redis', text: redisKeys(new URL(redisUrl)) },
  ];
}

const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

const redisKeys = ({ hostname, port, password }: URL): string =>
  execFileSync('redis-cli', ['-h', hostname, '-p', port, '--scan'], {
    encoding: 'utf8',
    env: { ...process.env, REDISCLI_AUTH: decodeURIComponent(password) },
  });
