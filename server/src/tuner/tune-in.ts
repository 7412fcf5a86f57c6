import type { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { Patience } from '../lib/fetch-safely/patience.ts';
import { failureOf } from './failure.ts';
import { TUNING } from './limits.ts';
import { Route } from './route.ts';
import { tune } from './tune.ts';
import type { TuneInOptions } from './tune-in-options.ts';
import type { TunedIn } from './tuned-in.ts';

/**
 * Connects like a player and follows redirects, playlists and HLS until sound comes. Throws `TuneInFailed`, which says
 * why. Dispose of what it gives, or the connection and its seat stay taken.
 */
export async function tuneIn(
  fetcher: SafeFetcher,
  address: string,
  options: TuneInOptions = {},
): Promise<TunedIn> {
  const { deadlineMs = TUNING.deadlineMs } = options;
  const patience = new Patience(deadlineMs, options.signal);
  const route = new Route(fetcher, patience, { ...options, deadlineMs });
  try {
    return await tune(route, address);
  } catch (error) {
    throw failureOf(error, route.journal.steps, options.signal);
  } finally {
    patience[Symbol.dispose]();
  }
}
