import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { FarmPlace } from '../../test/feed-farm/hosts.ts';
import type { Pass } from './pass.ts';

const BARE = join(import.meta.dirname, 'bare.ts');

export interface Bare extends AsyncDisposable {
  /** Reads all feeds, and from the second time on only what is new. */
  pass(): Promise<Pass>;
}

export function startBare({ feeds, port }: FarmPlace, atOnce: number): Bare {
  const child = spawn(process.execPath, [BARE, ...[feeds, port, atOnce].map(String)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit');
  return {
    async pass() {
      child.stdin.write('again\n');
      const died = ended.then(([code]) => {
        throw new Error(`the bare reader ended with ${code}`);
      });
      const [line]: string[] = await Promise.race([once(lines, 'line'), died]);
      return JSON.parse(line ?? '');
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}
