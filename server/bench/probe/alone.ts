/** Probes as a worker makes them, without the database: no claims, no seats over a fleet, no results written. */
import { SafeFetcher } from '../../src/lib/fetch-safely/fetch-safely.ts';
import { probeStream } from '../../src/probe/probe-stream.ts';
import { TuneInFailed } from '../../src/tuner/tune-in-failed.ts';
import { farmPolicy } from '../../test/feed-farm/hosts.ts';
import { stationAddress } from '../../test/station-farm/places.ts';
import { anySeat } from './bare-read.ts';
import { passOnDemand } from './pass.ts';

const fetcher = new SafeFetcher({ policy: farmPolicy, hostSeats: anySeat });

passOnDemand(async (number, task) => {
  try {
    await probeStream(fetcher, stationAddress(number, task));
  } catch (error) {
    // Some stations of the farm are dead, which is found out too.
    if (!(error instanceof TuneInFailed) || error.isOurs) throw error;
  }
});
