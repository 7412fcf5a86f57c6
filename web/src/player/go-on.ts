import { afterEnd, type QueuedEpisode, withFinished, withFirst } from '../saved/podcast-lists.ts';
import { saved } from '../saved/saved.ts';
import type { Engine } from './engine/engine.ts';
import type { PlayerItem, PlayerState } from './engine/state.ts';

/** With less than this left an episode counts as played; of a short one, a twentieth. */
const NEARLY_OVER_SECONDS = 10;
const NEARLY_OVER_PART = 0.05;

type Heard = Pick<PlayerState, 'item' | 'status' | 'position' | 'duration'>;

/** Whether an episode was heard to its end, or all but. */
export function isNearlyOver({ item, position, duration }: Heard): boolean {
  if (item?.kind !== 'topic' || duration === undefined || position === 0) return false;
  return position > duration - Math.min(NEARLY_OVER_SECONDS, duration * NEARLY_OVER_PART);
}

/** Whether an episode just came to its end: then the player goes back to its beginning. Nobody pauses it there. */
export const hasEnded = (before: Heard, now: Heard): boolean =>
  now.item?.kind === 'topic' &&
  now.item === before.item &&
  before.status === 'playing' &&
  before.position > 0 &&
  now.status === 'paused' &&
  now.position === 0;

export const asPlayerItem = ({ guideId, name, showId, show }: QueuedEpisode): PlayerItem => ({
  kind: 'topic',
  guideId,
  name,
  subtext: show,
  showId,
});

/** Plays the queue: what ends makes way for the next one. Marks what was heard to its end. */
export function goOn(player: Pick<Engine, 'state' | 'subscribe' | 'play'>): void {
  let before = player.state;
  let marked: PlayerItem | undefined;
  const mark = (item: PlayerItem): void => {
    if (marked === item) return;
    marked = item;
    const { guideId } = item;
    void saved.change('finished', (list) => withFinished(list, { guideId, at: Date.now() }));
  };
  player.subscribe(() => {
    const [last, now] = [before, player.state];
    before = now;
    const { item } = now;
    if (item?.kind !== 'topic') return;
    if (now.status === 'playing' && (last.status !== 'playing' || last.item !== item))
      void saved.change('queue', (queue) => withFirst(queue, item.guideId));
    if (now.position < last.position) marked = undefined;
    if (isNearlyOver(now)) mark(item);
    if (!hasEnded(last, now)) return;
    mark(item);
    const { next } = afterEnd(saved.state.queue, item.guideId);
    void saved.change('queue', (queue) => afterEnd(queue, item.guideId).queue);
    if (next) player.play(asPlayerItem(next));
  });
}
