#!/usr/bin/env node
/**
 * `npm run services -- up|down|status`: a private PostgreSQL and Redis for this checkout, from the system's packages,
 * on free loopback ports, with passwords of their own. `up` can be repeated; it writes `.env.services`, which every
 * npm script of this checkout reads. With `--throwaway` PostgreSQL does not wait for the disk, as the gate wants it, whose data
 * nobody needs: it makes and drops hundreds of databases, each a thousand files.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { servicesFolder } from './services/folder.ts';
import { ensureMemberKey } from './services/member-key.ts';
import { postgresService } from './services/postgres.ts';
import { redisService } from './services/redis.ts';

const checkout = join(import.meta.dirname, '..');
const envFile = join(checkout, '.env.services');
const folder = servicesFolder(checkout);

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { remove: { type: 'boolean' }, throwaway: { type: 'boolean', default: false } },
});
const services = [postgresService(folder, { isThrowaway: values.throwaway }), redisService(folder)];

async function up(): Promise<void> {
  const lines: string[] = [];
  for (const service of services) {
    const { url, started } = await service.up();
    lines.push(`${service.variable}=${url}`);
    console.log(`${service.name}: ${started ? 'started' : 'already running'} on ${new URL(url).host}`);
  }
  lines.push(`MEMBER_KEY=${ensureMemberKey(folder)}`);
  writeFileSync(envFile, `${lines.join('\n')}\n`, { mode: 0o600 });
  console.log(`addresses written to .env.services; data in ${folder}`);
}

async function down(remove: boolean): Promise<void> {
  for (const service of services) {
    console.log(`${service.name}: ${(await service.down()) ? 'stopped' : 'was not running'}`);
  }
  rmSync(envFile, { force: true });
  if (remove) rmSync(folder, { recursive: true, force: true });
}

async function status(): Promise<void> {
  for (const service of services) {
    const url = await service.running();
    console.log(`${service.name}: ${url ? `running on ${new URL(url).host}` : 'not running'}`);
    if (!url) process.exitCode = 1;
  }
}

switch (positionals[0]) {
  case 'up':
    await up();
    break;
  case 'down':
    await down(values.remove ?? false);
    break;
  case 'status':
    await status();
    break;
  default:
    console.error('usage: npm run services -- up [--throwaway] | down [--remove] | status');
    process.exitCode = 2;
}
