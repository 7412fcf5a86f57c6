import { keptPosition } from '../player/positions.ts';
import type { FinishedEpisode } from '../saved/podcast-lists.ts';

const sets = new WeakMap<readonly FinishedEpisode[], ReadonlySet<string>>();

/** Whether an episode was heard to its end. */
export function isFinished(finished: readonly FinishedEpisode[], guideId: string): boolean {
  const known = sets.get(finished) ?? new Set(finished.map((episode) => episode.guideId));
  sets.set(finished, known);
  return known.has(guideId);
}

/** Whether an episode was begun, or heard to its end. */
export const isPlayed = (finished: readonly FinishedEpisode[], guideId: string): boolean =>
  isFinished(finished, guideId) || keptPosition(guideId) !== undefined;
