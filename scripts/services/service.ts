import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

export interface Service {
  name: string;
  /** The environment variable with the service's address. */
  variable: string;
  up(): Promise<{ url: string; started: boolean }>;
  /** True if it was running. */
  down(): Promise<boolean>;
  running(): Promise<string | undefined>;
}

export interface Settings {
  port: number;
  password: string;
}

/** The settings of an earlier start, so that a second `up` finds the same data under the same password. */
export function readSettings(folder: string, name: string): Settings | undefined {
  const file = join(folder, `${name}.json`);
  if (!existsSync(file)) return undefined;
  const settings: Settings = JSON.parse(readFileSync(file, 'utf8'));
  return settings;
}

/** Reuses password and port if possible; a port that is taken meanwhile is replaced. */
export async function resolveSettings(folder: string, name: string): Promise<Settings> {
  const earlier = readSettings(folder, name);
  const port = earlier && (await isFree(earlier.port)) ? earlier.port : await freePort();
  const settings = { port, password: earlier?.password ?? randomBytes(18).toString('base64url') };
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(settings), { mode: 0o600 });
  return settings;
}

const freePort = (): Promise<number> => listenOnce(0);
const isFree = (port: number): Promise<boolean> =>
  listenOnce(port).then(
    () => true,
    () => false,
  );

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}

export async function waitUntil(
  what: string,
  ready: () => Promise<boolean>,
  timeoutMs = 30_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await ready())) {
    if (performance.now() > deadline) throw new Error(`${what} did not answer within ${timeoutMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
