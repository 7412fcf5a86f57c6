import type { Step } from '../tuner/step.ts';

export interface Way {
  /** What the playlists on the way lead to, before any redirect; undefined where there were none. */
  entry: string | undefined;
  /** How often a player that starts there is sent on before the sound. */
  redirects: number;
}

/** How a player gets to the sound, by the steps of one who got there. */
export function wayOf(steps: readonly Step[]): Way {
  const way: Way = { entry: undefined, redirects: 0 };
  let isListed = false;
  let before: Step['what'] | undefined;
  for (const { what, address } of steps) {
    if (what === 'hls') break;
    isListed ||= what === 'playlist';
    if (what === 'redirect') way.redirects += 1;
    // Of several addresses the last is the one that plays; what a redirect leads to may hold a key that ends tomorrow.
    if (what === 'connect' && before !== 'redirect') {
      way.entry = isListed ? address : undefined;
      way.redirects = 0;
    }
    before = what;
  }
  return way;
}
