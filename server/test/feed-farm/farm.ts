import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { FarmPlace } from './hosts.ts';
import type { Report } from './ledger.ts';

const SERVE = join(import.meta.dirname, 'serve-farm.ts');

/** Feeds of our own on many hosts of this machine, in a process of their own: docs at `kinds.ts`. */
export interface Farm extends FarmPlace, AsyncDisposable {
  /** What was asked in this round. */
  report(): Promise<Report>;
  /** From now on fresh feeds tell more, and what was asked is counted anew. */
  nextRound(): Promise<void>;
}

/** Slow and stuck feeds take so long. */
export type Delays = readonly [slowLeastMs: number, slowMostMs: number, stuckMs: number];

export async function startFarm(feeds: number, delays: Delays): Promise<Farm> {
  const child = spawn(process.execPath, [SERVE, String(feeds), ...delays.map(String)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line]: string[] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('the farm did not start'))),
  ]);
  const { port, controlPort }: { port: number; controlPort: number } = JSON.parse(line ?? '');
  const control = async (method: string): Promise<Report> => {
    const response = await fetch(`http://127.0.0.1:${controlPort}/`, {
      method,
      signal: AbortSignal.timeout(30_000),
    });
    // oxlint-disable-next-line no-unsafe-type-assertion -- the farm writes it so
    return (await response.json()) as Report;
  };
  return {
    feeds,
    port,
    report: () => control('GET'),
    nextRound: async () => void (await control('POST')),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
