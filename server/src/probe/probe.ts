import type { Pool } from 'pg';
import {
  type DueStream,
  type PutBack,
  REST_SECONDS,
  claimStreams,
  putBackStreams,
} from '../catalog/due-streams.ts';
import type { DueJob } from '../jobs/due-job.ts';
import { Gather } from '../jobs/gather.ts';
import { Hosts, IN_HAND_PER_HOST } from '../jobs/hosts.ts';
import type { Clock } from '../lib/clock.ts';
import type { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { guideId } from '../lib/guide-id.ts';
import type { Log } from '../lib/log.ts';
import { type Unjudged, checkOf } from './judge.ts';
import { Line } from './line.ts';
import { type Listened, listen, settle } from './listen.ts';
import type { Probed } from './probe-stream.ts';
import { CheckWriter } from './write-checks.ts';

export interface ProbeNeeds {
  pool: Pool;
  fetcher: SafeFetcher;
  clock: Clock;
  log: Log;
  chance: () => number;
}

export interface ProbeOptions {
  /** How many are listened to at once. */
  atOnce: number;
  restSeconds?: number | undefined;
  line?: Line;
}

/** Claimed for each that is being listened to, so that slow hosts do not keep quick ones from their turn. */
const IN_HAND = 3;

/** The job that knows which streams play: each is listened to when it is due, for a moment. */
export function probeJob(needs: ProbeNeeds, options: ProbeOptions): DueJob<DueStream> {
  const { pool, fetcher, clock, chance } = needs;
  const { atOnce, restSeconds = REST_SECONDS, line = new Line() } = options;
  const hosts = new Hosts(atOnce);
  const checks = new CheckWriter(pool, needs.log);
  const puttingBack = new Gather<PutBack, true>(async (streams) => {
    await putBackStreams(pool, streams);
    return streams.map(() => true);
  });
  /** The host's next one may be claimed when this one has been heard, and needs not wait for it to be written down. */
  async function listenInTurn(
    due: DueStream,
    stopping: AbortSignal,
    cut: AbortSignal,
  ): Promise<Probed | Unjudged> {
    let heard: Listened;
    try {
      heard = await hosts.inTurn(due.host, stopping, () => listen(fetcher, due, line, cut));
    } finally {
      hosts.give(due.host);
    }
    return settle(heard, due, line, { chance: chance(), restSeconds });
  }
  return {
    name: 'streams',
    atOnce: atOnce * IN_HAND,
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
      if ('putBack' in found) {
        if (found.word === 'waits') hosts.leave(due.host, clock.elapsedMs());
        await puttingBack.add(found.putBack);
        return found.word;
      }
      const moment = { nowMs: clock.now().epochMilliseconds, chance: chance() };
      await checks.write(checkOf(due, found, moment));
      return found.verdict;
    },
  };
}
