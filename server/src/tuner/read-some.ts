import { FetchFailed } from '../lib/fetch-safely/fetch-failed.ts';
import { Patience } from '../lib/fetch-safely/patience.ts';
import type { TunedIn } from './tuned-in.ts';

export interface Heard {
  /** Without the titles that were between it. It is gone when the stream is disposed of. */
  audio: Buffer;
  /** Each that differs from the one before; empty where the station says nothing. */
  titles: readonly string[];
  /** All that came, titles too. */
  bytes: number;
  /** Why there is no more: that was enough, the stream ended, the time is over, the connection broke. */
  ended: 'enough' | 'end' | 'late' | 'broken';
}

/**
 * Listens until there is so much sound, or so long; a stream that was listened to for too long is done with. With
 * `untilTitle` the first block of titles is enough.
 */
export async function readSome(
  { inflow, hls, signal }: TunedIn,
  maxBytes: number,
  deadlineMs: number,
  untilTitle = false,
): Promise<Heard> {
  const map = hls?.map;
  const wanted = Math.max(maxBytes - (map?.length ?? 0), 0);
  const patience = new Patience(deadlineMs, signal);
  let ended: Heard['ended'] = 'enough';
  try {
    await inflow.untilBody(patience, deadlineMs, wanted, untilTitle);
    if (!inflow.isThere(wanted, untilTitle)) ended = 'end';
  } catch (error) {
    ended = error instanceof FetchFailed && error.isLate ? 'late' : 'broken';
  } finally {
    patience[Symbol.dispose]();
  }
  const { body, titles, bytes } = inflow;
  const audio = (map ? Buffer.concat([map, body]) : body).subarray(0, maxBytes);
  return { audio, titles, bytes: bytes + (map?.length ?? 0), ended };
}
