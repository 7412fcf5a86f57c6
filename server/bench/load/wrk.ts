import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TICKS_PER_SECOND = 100;
/** A call that waits on a busy machine has not failed; CPU time is what counts. */
const TIMEOUT_SECONDS = 60;

/** A server under load: its processes and its address. */
export interface Contender {
  name: string;
  url: string;
  pids: readonly number[];
  /** A wrk script that chooses the requests; without one, the url alone. */
  script?: string | undefined;
}

export interface Round {
  requestsPerSecond: number;
  /** Summed over its processes; the figure to trust where neighbours are noisy. */
  cpuMicros: number;
}

/** Rounds without a single answer, on a busy machine, before that is an error. */
const MAX_EMPTY = 5;

/** One round of load on one contender; rejects a round with errors in it. */
export async function measure(contender: Contender, seconds: number): Promise<Round> {
  for (let empty = 0; empty < MAX_EMPTY; empty += 1) {
    const { requests, cpuSeconds } = await playRound(contender, seconds);
    if (requests > 0)
      return { requestsPerSecond: requests / seconds, cpuMicros: (cpuSeconds / requests) * 1e6 };
  }
  throw new Error(`${contender.url}: no answer in ${MAX_EMPTY} rounds; is the machine busy?`);
}

async function playRound(
  { url, pids, script }: Contender,
  seconds: number,
): Promise<{ requests: number; cpuSeconds: number }> {
  const before = cpuSecondsOf(pids);
  const load = ['-t1', '-c32', `-d${seconds}s`, '--timeout', `${TIMEOUT_SECONDS}s`];
  const { stdout } = await run('taskset', [
    '-c',
    '1',
    'wrk',
    ...load,
    ...(script ? ['-s', script] : []),
    url,
  ]);
  const cpuSeconds = cpuSecondsOf(pids) - before;
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${url}:\n${stdout}`);
  return { requests: Number(/(\d+) requests in/.exec(stdout)?.[1] ?? 0), cpuSeconds };
}

/** From the scheduler where the kernel reports nanoseconds, else in ticks. */
export function cpuSecondsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (fromScheduler(pid) ?? fromTicks(pid)), 0);
}

function fromScheduler(pid: number): number | undefined {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce(
      (sum, task) =>
        sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e9,
      0,
    );
  } catch {
    return undefined;
  }
}

function fromTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
