import type { Step } from '../tuner/step.ts';

export interface Way {
  /** What the playlists on the way lead to, before any redirect; undefined where there were none. */
  entry: string | undefined;
  /** How often a player that starts there is sent on before the sound. */
  redirects: number;
}

/** How a player gets to the sound, by the steps of one who got there. */
export function wayOf(steps: readonly Step[]): Way {
  const playlist = steps.findLastIndex(({ what }) => what === 'playlist');
  const hls = steps.findIndex(({ what }) => what === 'hls');
  const last = steps.slice(playlist + 1, hls === -1 ? steps.length : hls);
  // Of several addresses the last is the one that plays; what a redirect leads to may hold a key that ends tomorrow.
  const start = last.findLastIndex(
    ({ what }, index) => what === 'connect' && last[index - 1]?.what !== 'redirect',
  );
  return {
    entry: playlist === -1 ? undefined : last[start]?.address,
    redirects: last.slice(Math.max(start, 0)).filter(({ what }) => what === 'redirect').length,
  };
}
