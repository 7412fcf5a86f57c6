import { join } from 'node:path';
import type { Pool } from 'pg';
import { seededDatabase } from '../database/database.ts';
import { keepLog } from '../processes/keep-log.ts';
import { type Authority, makeAuthority } from './authority.ts';
import { openDatabaseProxy } from './database-door.ts';
import { type House, type HouseOptions, openHouse } from './house.ts';
import { TEST_WAIT_FACTOR } from '../time/wait-factor.ts';
import { waitFor } from '../time/wait-until.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
/** The name that radios have built in. */
export const DIRECTORY = 'opml.radiotime.com';

export interface ServedHouse extends AsyncDisposable {
  house: House;
  /** As the house reaches it. */
  databaseUrl: string;
  authorityFile: string;
  certFile: string;
  /** What the directory answers to a plain call. */
  get: (pathAndQuery: string) => Promise<string>;
  /** And to a form sent by HTTPS. */
  post: (path: string, form: Readonly<Record<string, string>>) => Promise<string>;
}

export interface ServeOptions {
  house?: HouseOptions;
  env?: NodeJS.ProcessEnv;
  /** What has to be in the house before the directory serves. */
  before?: (house: House) => Promise<void>;
}

/**
 * A house where the name of the directory leads to the whole service, on ports 80 and 443, with the seeded directory in
 * PostgreSQL, and whatever more is put there before it starts.
 */
export async function serveHouse(
  fill?: (pool: Pool) => Promise<void>,
  { house: houseOptions, env, before }: ServeOptions = {},
): Promise<ServedHouse> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await seededDatabase());
  await fill?.(database.pool);
  const house = await openHouse(houseOptions);
  const door = opened.use(await openDatabaseProxy(house.folder, database.url));
  opened.use(house);
  const authority = makeAuthority(house.folder, DIRECTORY);
  await before?.(house);
  const server = await started(() =>
    house.start(process.execPath, [MAIN, 'serve'], { env: { ...settings(door.url, authority), ...env } }),
  );
  const kept = opened.move();
  return {
    house,
    databaseUrl: door.url,
    authorityFile: authority.authorityFile,
    certFile: authority.certFile,
    post: (path, form) => {
      const body = new URLSearchParams(form).toString();
      const trusting = ['--cacert', authority.authorityFile];
      return house.run('curl', ['-fsS', '-m', '10', ...trusting, '-d', body, `https://${DIRECTORY}${path}`]);
    },
    get: (target) => house.run('curl', ['-fsS', '-m', '10', `http://${DIRECTORY}${target}`]),
    [Symbol.asyncDispose]: () => {
      keepLog(server.said());
      return kept.disposeAsync();
    },
  };
}

const MAX_STARTS = 3;

/** As whoever runs it would, it is started again where the database did not answer in time, as on a machine with much to do. */
async function started(start: () => ReturnType<House['start']>): Promise<ReturnType<House['start']>> {
  for (let left = MAX_STARTS - 1; ; left -= 1) {
    const server = start();
    try {
      await waitFor(server, 'the directory', async () => server.said().includes('"serving"') || undefined);
      return server;
    } catch (error) {
      if (left === 0 || !/connection timeout/.test(String(error))) throw error;
    }
  }
}

const settings = (databaseUrl: string, { certFile, keyFile }: Authority): NodeJS.ProcessEnv => ({
  DATABASE_URL: databaseUrl,
  HTTP_HOST: '127.0.0.1',
  HTTP_PORT: '80',
  HTTPS_PORT: '443',
  TLS_CERT_FILE: certFile,
  TLS_KEY_FILE: keyFile,
  PRIVATE_PORT: '0',
  PUBLIC_HOSTS: DIRECTORY,
  HOME_PLACE: 'Cork, Ireland',
  MEMBER_KEY: 'a key for the houses of tests, no other',
  DATABASE_WAIT_FACTOR: `${TEST_WAIT_FACTOR}`,
  // Starting takes a second of a processor for each; the listener's way through the site has several.
  SERVE_PROCESSES: '1',
});
