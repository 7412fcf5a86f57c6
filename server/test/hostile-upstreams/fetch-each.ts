/** Fetches each address it is given, in a process of its own, and writes how each ended and what it took. */
import { text } from 'node:stream/consumers';
import { SafeFetcher } from '../../src/net/fetch/fetch-safely.ts';
import type { Upstream } from './serve.ts';

export interface Ending {
  name: string;
  error: string;
  message: string;
  ms: number;
  /** By how much the process grew at its largest, over what it was before. */
  grownBytes: number;
}

interface Task {
  upstreams: Upstream[];
  deadlineMs: number;
  stepMs: number;
}

// oxlint-disable-next-line no-unsafe-type-assertion -- written by the test
const { upstreams, deadlineMs, stepMs } = JSON.parse(await text(process.stdin)) as Task;
const policy = {
  resolve: async () => ['127.0.0.2'],
  isAllowed: (ip: string) => ip === '127.0.0.2',
  connectMs: stepMs,
};
const fetcher = new SafeFetcher({ policy });

async function fetchOne({ name, address }: Upstream): Promise<Ending> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let largest = before;
  const look = (): void => void (largest = Math.max(largest, process.memoryUsage.rss()));
  const looking = setInterval(look, 2);
  const start = performance.now();
  const error = await fetcher.fetch(address, { deadlineMs, firstByteMs: stepMs }).then(
    ({ status }) => new Error(`it was answered with ${status}`),
    (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown))),
  );
  const ms = performance.now() - start;
  look();
  clearInterval(looking);
  return { name, error: error.name, message: error.message, ms, grownBytes: largest - before };
}

const endings: Ending[] = [];
// The first goes twice: what a process loads once is no upstream's doing.
for (const upstream of [upstreams[0]!, ...upstreams]) endings.push(await fetchOne(upstream));
process.stdout.write(JSON.stringify(endings.slice(1)));
