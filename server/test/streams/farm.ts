import { join } from 'node:path';
import type { Pool } from 'pg';
import type { House } from '../house/house.ts';
import { type ServedHouse, serveHouse } from '../house/served-house.ts';
import type { Program } from '../processes/program.ts';
import { waitFor } from '../time/wait-until.ts';
import { type StationName, guideIds, listStations } from './stations.ts';
import { type Streams, startStreams } from './streams.ts';
import { planTown } from './town.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
/** The house's own authority is among those of the house's system. */
const TRUSTING = { NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt' };
const REDIS = { host: '127.0.0.1', port: '6379' };
const REDIS_URL = `redis://${REDIS.host}:${REDIS.port}`;

/** The directory and the streams of its stations in one house, and nothing of the world outside. */
export interface Farm extends AsyncDisposable, Streams, ServedHouse {
  pool: Pool;
  /** `s…` */
  idOf: (station: StationName) => string;
  /** Starts `longwave work`, which ends with the house, and returns when it works. */
  work(): Promise<Program>;
  /** The same with `longwave relay`, and settings that it alone has. */
  relay(env?: NodeJS.ProcessEnv): Promise<Program>;
  /** Runs a command of longwave's to its end, in the house, as an operator does. */
  longwave(...args: string[]): Promise<string>;
}

export interface FarmOptions {
  /** Settings of the directory beside those that every house has. */
  env?: NodeJS.ProcessEnv;
  /** A Redis of the house's own, that the directory is told of. */
  hasRedis?: boolean;
}

export async function openFarm({ env, hasRedis = false }: FarmOptions = {}): Promise<Farm> {
  const plan = planTown();
  const settings = { ...TRUSTING, ...(hasRedis && { REDIS_URL }), ...env };
  const { promise: streams, resolve } = Promise.withResolvers<Streams>();
  const { promise: filled, resolve: fill } = Promise.withResolvers<Pool>();
  const served = await serveHouse(
    async (pool) => {
      await listStations(pool);
      fill(pool);
    },
    {
      house: plan.options,
      env: settings,
      async before(house) {
        if (hasRedis) await startRedis(house);
        resolve(await startStreams(house, plan));
      },
    },
  );
  const pool = await filled;
  const ids = await guideIds(pool);
  const { house, databaseUrl: DATABASE_URL } = served;
  const asOperator = { env: { ...settings, DATABASE_URL, WORK_PORT: '0' } };
  const startService = async (name: string, said: string, own?: NodeJS.ProcessEnv): Promise<Program> => {
    const service = house.start(process.execPath, [MAIN, name], { env: { ...asOperator.env, ...own } });
    await waitFor(service, `longwave ${name}`, async () => service.said().includes(`"${said}"`) || undefined);
    return service;
  };
  return {
    ...served,
    ...(await streams),
    pool,
    idOf: (station) => ids.get(station) ?? '',
    longwave: (...args) => house.run(process.execPath, [MAIN, ...args], asOperator),
    work: () => startService('work', 'working'),
    relay: (own) => startService('relay', 'relaying', own),
  };
}

async function startRedis(house: House): Promise<void> {
  const args = ['--bind', REDIS.host, '--port', REDIS.port, '--save', '', '--dir', house.folder];
  const redis = house.start('redis-server', args);
  const ping = async () =>
    (await house.run('redis-cli', ['-h', REDIS.host, 'ping'])) === 'PONG\n' || undefined;
  await waitFor(redis, 'Redis', ping);
}
