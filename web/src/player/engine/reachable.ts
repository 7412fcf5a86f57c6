/**
 * Chromium opens six connections to a server at most, and goes on opening those that nobody waits for any more. Without a
 * network each repeats its first packet ever more rarely, by Linux after 1 to 5, 7, 11, 19, 35 and 67 seconds, and ends after two
 * minutes: a look every two seconds would have all six wait for up to half a minute when the network is back, and all that is
 * asked then wait behind them. So a look begins at this interval, by turns with and without credentials, which have six
 * connections each: some packet is repeated every four seconds, and there is always a connection left for what is asked next.
 */
export const LOOK_AGAIN_MS = 14_000;
export const REACH_DEADLINE_MS = 2 * LOOK_AGAIN_MS;

/** A file of a few hundred bytes that no cache answers for; whatever the answer is, the network brought it. */
export async function isReachable(signal: AbortSignal, look: number): Promise<boolean> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(REACH_DEADLINE_MS)]);
  const credentials = look % 2 === 0 ? 'omit' : 'same-origin';
  const init = {
    method: 'HEAD',
    cache: 'no-store',
    redirect: 'error',
    credentials,
    signal: deadline,
  } as const;
  await fetch('/listen/manifest.webmanifest', init);
  return true;
}
