import type { Pool } from 'pg';
import { claimStream, rescheduleStreams } from '../../storage/catalog/streams/due-streams.ts';
import { finishStreams } from '../../storage/catalog/streams/stream-checks.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { TuneInFailed } from '../../net/tuner/tune-in-failed.ts';
import { checkOf, isUnreached, probedFailure } from './judge.ts';
import { type Probed, probeStream } from './probe-stream.ts';

/** The outcome; if the fault may be ours, the reason why nothing is known about the stream. */
export interface ProbedNow extends Probed {
  address: string;
  undecided?: string | undefined;
  /** Undefined where nothing was written. */
  dueInSeconds?: number | undefined;
}

/** Probes an address that may not be one of our streams; writes nothing. */
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

interface NowDeps {
  pool: Pool;
  fetcher: SafeFetcher;
  clock: Clock;
}

/**
 * Probes a stream now, due or not, and saves the result. A single probe cannot tell a silent host from an uplink that
 * is down: then nothing is saved, and the stream is due immediately for a worker, which probes others too.
 */
export async function probeNow(
  { pool, fetcher, clock }: NowDeps,
  streamId: number,
): Promise<ProbedNow | undefined> {
  const due = await claimStream(pool, streamId);
  if (!due) return undefined;
  const probed = await probeAddress(fetcher, due.address);
  if (probed.undecided !== undefined) {
    await rescheduleStreams(pool, [{ due, dueInSeconds: 0 }]);
    return probed;
  }
  const check = checkOf(due, probed, { nowMs: clock.now().epochMilliseconds, chance: Math.random() });
  await finishStreams(pool, [check]);
  return { ...probed, dueInSeconds: check.dueInSeconds };
}
