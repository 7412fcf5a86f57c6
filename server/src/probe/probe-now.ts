import type { Pool } from 'pg';
import { claimStream, putBackStreams } from '../catalog/due-streams.ts';
import { finishStreams } from '../catalog/stream-checks.ts';
import type { Clock } from '../lib/clock.ts';
import type { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { TuneInFailed } from '../tuner/tune-in-failed.ts';
import { checkOf, isUnreached, probedFailure } from './judge.ts';
import { type Probed, probeStream } from './probe-stream.ts';

/** What came of it; where the fault may be ours, why nothing is known of the stream. */
export interface ProbedNow extends Probed {
  address: string;
  undecided?: string | undefined;
  /** Undefined where nothing was written. */
  dueInSeconds?: number | undefined;
}

/** Listens to an address that may be no stream of ours; nothing is written. */
export async function probeAddress(
  fetcher: SafeFetcher,
  address: string,
  signal?: AbortSignal,
): Promise<ProbedNow> {
  try {
    return { address, ...(await probeStream(fetcher, address, signal)) };
  } catch (error) {
    if (!(error instanceof TuneInFailed)) throw error;
    const isOurs = error.isOurs || isUnreached(error);
    return { address, ...probedFailure(error, address), undecided: isOurs ? error.message : undefined };
  }
}

export interface NowNeeds {
  pool: Pool;
  fetcher: SafeFetcher;
  clock: Clock;
}

/**
 * Listens to a stream now, due or not, and writes down what was found. One look alone cannot tell a silent host from a
 * line that is down: then nothing is written, and the stream is due at once for a worker, who hears others too.
 */
export async function probeNow(
  { pool, fetcher, clock }: NowNeeds,
  streamId: number,
): Promise<ProbedNow | undefined> {
  const due = await claimStream(pool, streamId);
  if (!due) return undefined;
  const probed = await probeAddress(fetcher, due.address);
  if (probed.undecided !== undefined) {
    await putBackStreams(pool, [{ due, dueInSeconds: 0 }]);
    return probed;
  }
  const check = checkOf(due, probed, { nowMs: clock.now().epochMilliseconds, chance: Math.random() });
  await finishStreams(pool, [check]);
  return { ...probed, dueInSeconds: check.dueInSeconds };
}
