/** Probes as a worker makes them, without the database: no claims, no fleet-wide host slots, no results written. */
import { SafeFetcher } from '../../src/net/fetch/fetch-safely.ts';
import { probeStream } from '../../src/workers/probe/probe-stream.ts';
import { TuneInFailed } from '../../src/net/tuner/tune-in-failed.ts';
import { farmPolicy } from '../../test/feed-farm/hosts.ts';
import { stationAddress } from '../../test/station-farm/places.ts';
import { anySlot } from './bare-read.ts';
import { passOnDemand } from './pass.ts';

const fetcher = new SafeFetcher({ policy: farmPolicy, hostLimiter: anySlot });

passOnDemand(async (number, task) => {
  try {
    await probeStream(fetcher, stationAddress(number, task));
  } catch (error) {
    // Some stations of the farm are dead, which is a result too.
    if (!(error instanceof TuneInFailed) || error.isOurs) throw error;
  }
});
