import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOf } from '../load/wrk.ts';
import { childrenOf, type RelayContender, startProcess, stop } from './contenders.ts';

const SETTLE_MS = 4000;

/** What a contender needed for what it delivered. */
export interface Cost {
  cpuPerGigabit: number;
  kbPerListener: number;
  silent: number;
}

export async function costOf(server: RelayContender, listeners: number, seconds: number): Promise<Cost> {
  await using running = server;
  const { pids: main, port, paths } = running;
  const pids = [...main];
  const before = memoryKb(pids);
  const sinkFile = join(import.meta.dirname, 'sink.ts');
  await using sink = await startProcess([process.execPath, sinkFile, `${port}`, `${listeners}`, ...paths]);
  const lines = createInterface({ input: sink.child.stdout! });
  const ask = async (): Promise<{ bytes: number; silent: number }> => {
    sink.child.stdin?.write('\n');
    const [line] = await once(lines, 'line');
    return JSON.parse(String(line));
  };
  await sleep(SETTLE_MS);
  // With what it has started for its listeners.
  pids.push(...main.flatMap(childrenOf).filter((pid) => !main.includes(pid)));
  const [start, cpu] = [await ask(), cpuSecondsOf(pids)];
  await sleep(seconds * 1000);
  const [end, cpuSeconds] = [await ask(), cpuSecondsOf(pids) - cpu];
  return {
    cpuPerGigabit: cpuSeconds / (((end.bytes - start.bytes) * 8) / 1e9),
    kbPerListener: (memoryKb(pids) - before) / listeners,
    silent: end.silent,
  };
}

/** A process for each, which is how ffmpeg is used. */
export async function ffmpegCost(args: readonly string[], count: number, seconds: number): Promise<Cost> {
  let bytes = 0;
  const children = Array.from({ length: count }, () => {
    const child = spawn('ffmpeg', ['-nostdin', '-loglevel', 'quiet', ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout.on('data', (piece: Buffer) => (bytes += piece.length));
    return child;
  });
  const pids = children.map(({ pid = 0 }) => pid);
  await sleep(SETTLE_MS);
  const [start, cpu] = [bytes, cpuSecondsOf(pids)];
  await sleep(seconds * 1000);
  const cpuSeconds = cpuSecondsOf(pids) - cpu;
  const cost = {
    cpuPerGigabit: cpuSeconds / (((bytes - start) * 8) / 1e9),
    kbPerListener: memoryKb(pids) / count,
    silent: 0,
  };
  await Promise.all(children.map((child) => stop(child)));
  return cost;
}

/** What is its own, and its part of what is shared. */
const memoryKb = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const [, kb = '0'] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return sum + Number(kb);
  }, 0);
