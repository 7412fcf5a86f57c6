import type { Pool } from 'pg';
import type { Clock } from '../../lib/clock.ts';
import { guideId } from '../../lib/guide-id.ts';
import type { Log } from '../../lib/log.ts';
import { UnsafeAddress } from '../../net/fetch/fetch-failed.ts';
import type { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { TuneInFailed } from '../../net/tuner/tune-in-failed.ts';
import {
  claimStreams,
  type DueStream,
  type Reschedule,
  rescheduleStreams,
  REST_SECONDS,
} from '../../storage/catalog/streams/due-streams.ts';
import { finishStreams, type StreamCheck } from '../../storage/catalog/streams/stream-checks.ts';
import { isRowError } from '../../storage/db/row-error.ts';
import type { DueJob } from '../runner/due-job.ts';
import { Batcher } from '../runner/batcher.ts';
import { Hosts, IN_HAND_PER_HOST } from '../runner/hosts.ts';
import { type Again, checkOf, isUnreached, probedFailure, type Inconclusive, inconclusive } from './judge.ts';
import { type Probed, probeStream } from './probe-stream.ts';

interface ProbeDeps {
  pool: Pool;
  fetcher: SafeFetcher;
  clock: Clock;
  log: Log;
  chance: () => number;
}

interface ProbeOptions {
  /** How many streams are probed concurrently. */
  concurrency: number;
  restSeconds?: number | undefined;
  uplink?: UplinkMonitor;
}

/** Rows claimed per stream being probed, so that slow hosts do not hold up fast ones. */
const IN_HAND = 3;

/** The job that knows which streams play: probes each when it is due. */
export function probeJob(deps: ProbeDeps, options: ProbeOptions): DueJob<DueStream> {
  const { pool, fetcher, clock, chance } = deps;
  const { concurrency, restSeconds = REST_SECONDS, uplink = new UplinkMonitor() } = options;
  const hosts = new Hosts(concurrency);
  const checks = new CheckWriter(pool, deps.log);
  const puttingBack = new Batcher<Reschedule, true>(async (streams) => {
    await rescheduleStreams(pool, streams);
    return streams.map(() => true);
  });
  /** The host's next stream may be claimed once this one was heard, without waiting for the result to be written. */
  async function listenInTurn(
    due: DueStream,
    stopping: AbortSignal,
    cut: AbortSignal,
  ): Promise<Probed | Inconclusive> {
    let heard: Listened;
    try {
      heard = await hosts.inTurn(due.host, stopping, () => listen(fetcher, due, uplink, cut));
    } finally {
      hosts.give(due.host);
    }
    return settle(heard, due, uplink, { chance: chance(), restSeconds });
  }
  return {
    name: 'streams',
    concurrency: concurrency * IN_HAND,
    idOf: ({ stream_id }) => guideId('e', stream_id),
    async claim(most) {
      const busy = hosts.busy(clock.elapsedMs());
      const claimed = await claimStreams(pool, {
        most,
        leaseSeconds: restSeconds,
        busy,
        mostPerHost: IN_HAND_PER_HOST,
      });
      hosts.take(
        claimed.map(({ host }) => host),
        busy,
      );
      return claimed;
    },
    async work(due, { stopping, cut }) {
      const found = await listenInTurn(due, stopping, cut);
      if ('reschedule' in found) {
        if (found.word === 'waits') hosts.leave(due.host, clock.elapsedMs());
        await puttingBack.add(found.reschedule);
        return found.word;
      }
      const moment = { nowMs: clock.now().epochMilliseconds, chance: chance() };
      await checks.write(checkOf(due, found, moment));
      return found.verdict;
    },
  };
}

/** The outcome, or why there is none and when the attempt began. */
type Listened = Probed | Unheard;

interface Unheard {
  failed: TuneInFailed;
  setOutMs: number;
}

/** Throws when the worker is stopping, which says nothing about the stream. */
async function listen(
  fetcher: SafeFetcher,
  { address }: Pick<DueStream, 'address'>,
  uplink: UplinkMonitor,
  signal: AbortSignal,
): Promise<Listened> {
  const setOutMs = performance.now();
  try {
    const probed = await probeStream(fetcher, address, signal);
    uplink.answered();
    return probed;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TuneInFailed) return { failed: error, setOutMs };
    throw error;
  }
}

/** Whether a stream that was not heard is to blame. May wait for the results of other probes, so do not block on it. */
const settle = (
  listened: Listened,
  due: DueStream,
  uplink: UplinkMonitor,
  again: Again,
): Probed | Promise<Probed | Inconclusive> =>
  'failed' in listened ? blamed(listened, due, uplink, again) : listened;

async function blamed(
  { failed, setOutMs }: Unheard,
  due: DueStream,
  uplink: UplinkMonitor,
  again: Again,
): Promise<Probed | Inconclusive> {
  if (failed.isOurs) return inconclusive(due, failed, again);
  if (isUnreached(failed)) {
    if (await uplink.isDown(setOutMs)) return inconclusive(due, failed, again);
  } else if (!(failed.cause instanceof UnsafeAddress)) {
    uplink.answered();
  }
  return probedFailure(failed, due.address);
}

/** How long to wait for another probe to be answered before the fault is taken to be ours. */
const HOLD_MS = 10_000;
/** This few unreachable streams may each be to blame: one operator may have three stations, all off the air. */
const FEW = 3;

/**
 * Whether our own uplink works. A probe that reached no server waits here for an answer to any other: one that began
 * after it shows that the uplink works, and the stream is at fault. When none comes and many wait, the uplink is down,
 * and nothing is known about any of them. Judged one by one as they fail, the first would be blamed wrongly.
 */
export class UplinkMonitor {
  readonly #holdMs: number;
  readonly #waiting = new Set<(isDown: boolean) => void>();
  #answeredMs = -Infinity;
  #isDown = false;

  constructor(holdMs = HOLD_MS) {
    this.#holdMs = holdMs;
  }

  /** A server answered, whatever it said. */
  answered(): void {
    this.#answeredMs = performance.now();
    this.#isDown = false;
    this.#answerAll(false);
  }

  /** For a probe that began then (by `performance.now`) and reached no server: whether that is our fault. */
  async isDown(setOutMs: number): Promise<boolean> {
    if (this.#isDown || this.#answeredMs >= setOutMs) return this.#isDown;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.add(resolve);
    const timer = setTimeout(() => this.#giveUp(resolve), this.#holdMs);
    const isDown = await promise;
    clearTimeout(timer);
    return isDown;
  }

  #giveUp(one: (isDown: boolean) => void): void {
    this.#isDown = this.#waiting.size > FEW;
    if (this.#isDown) return this.#answerAll(true);
    this.#waiting.delete(one);
    one(false);
  }

  #answerAll(isDown: boolean): void {
    for (const tell of this.#waiting) tell(isDown);
    this.#waiting.clear();
  }
}

const MAX_BATCH = 200;
/** Only a claimed slot waits for this, and a statement for a hundred checks costs little more than one for ten. */
const LINGER_MS = 50;

/** Writes checks that arrive at the same time together; one that cannot be written does not block the others. */
class CheckWriter {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #writing = new Batcher<StreamCheck, true>(
    (checks) => this.#writeAll(checks),
    MAX_BATCH,
    LINGER_MS,
  );

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
  }

  write(check: StreamCheck): Promise<true> {
    return this.#writing.add(check);
  }

  async #writeAll(checks: readonly StreamCheck[]): Promise<true[]> {
    try {
      await finishStreams(this.#pool, checks);
    } catch (error) {
      if (!isRowError(error)) throw error;
      if (checks.length > 1) for (const check of checks) await this.#writeAll([check]);
      else
        this.#log.error({ err: error, id: nameOf(checks[0]) }, 'skipped a check that the database rejected');
    }
    return checks.map(() => true);
  }
}

const nameOf = (check: StreamCheck | undefined): string => guideId('e', check?.due.stream_id ?? 0);
