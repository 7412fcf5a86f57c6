import type { DueStream } from '../catalog/due-streams.ts';
import type { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { UnsafeAddress } from '../lib/fetch-safely/unsafe-address.ts';
import { TuneInFailed } from '../tuner/tune-in-failed.ts';
import { type Again, type Unjudged, isUnreached, probedFailure, unjudged } from './judge.ts';
import type { Line } from './line.ts';
import { type Probed, probeStream } from './probe-stream.ts';

/** What was heard, or why nothing was and since when it was tried. */
export type Listened = Probed | Unheard;

interface Unheard {
  failed: TuneInFailed;
  setOutMs: number;
}

/** Throws when it is told to stop, which says nothing of the stream. */
export async function listen(
  fetcher: SafeFetcher,
  { address }: Pick<DueStream, 'address'>,
  line: Line,
  signal: AbortSignal,
): Promise<Listened> {
  const setOutMs = performance.now();
  try {
    const probed = await probeStream(fetcher, address, signal);
    line.answered();
    return probed;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TuneInFailed) return { failed: error, setOutMs };
    throw error;
  }
}

/** Whether a stream that was not heard is to blame for that. May wait for word from others, so nobody else should wait for it. */
export const settle = (
  listened: Listened,
  due: DueStream,
  line: Line,
  again: Again,
): Probed | Promise<Probed | Unjudged> =>
  'failed' in listened ? blamed(listened, due, line, again) : listened;

async function blamed(
  { failed, setOutMs }: Unheard,
  due: DueStream,
  line: Line,
  again: Again,
): Promise<Probed | Unjudged> {
  if (failed.isOurs) return unjudged(due, failed, again);
  if (isUnreached(failed)) {
    if (await line.isDown(setOutMs)) return unjudged(due, failed, again);
  } else if (!(failed.cause instanceof UnsafeAddress)) {
    line.answered();
  }
  return probedFailure(failed, due.address);
}
