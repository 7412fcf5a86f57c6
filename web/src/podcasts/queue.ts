import { player } from '../player/player.ts';
import { without } from '../saved/lists.ts';
import { MAX_QUEUE, type QueuedEpisode, withLast, withNext } from '../saved/podcast-lists.ts';
import { saved } from '../saved/saved.ts';

/** False if there is no room for it. */
export async function addToQueue(episode: QueuedEpisode): Promise<boolean> {
  await saved.change('queue', (queue) => withLast(queue, episode));
  return hasRoomed(episode);
}

/** False if there is no room for it. */
export async function playNext(episode: QueuedEpisode): Promise<boolean> {
  const { item } = player.state;
  await saved.change('queue', (queue) => withNext(queue, episode, item?.guideId));
  return hasRoomed(episode);
}

export const removeFromQueue = (guideId: string): Promise<void> =>
  saved.change('queue', (queue) => without(queue, [guideId]));

const hasRoomed = ({ guideId }: QueuedEpisode): boolean =>
  saved.state.queue.length < MAX_QUEUE || saved.state.queue.some((each) => each.guideId === guideId);
