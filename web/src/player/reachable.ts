export const REACH_DEADLINE_MS = 2000;

/** A file of a few hundred bytes that no cache answers for; whatever the answer is, the network brought it. */
export async function isReachable(signal: AbortSignal): Promise<boolean> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(REACH_DEADLINE_MS)]);
  const init = { method: 'HEAD', cache: 'no-store', redirect: 'error', signal: deadline } as const;
  await fetch('/listen/manifest.webmanifest', init);
  return true;
}
