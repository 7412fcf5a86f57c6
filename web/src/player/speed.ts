import { speedOf } from '../saved/podcast-lists.ts';
import { saved } from '../saved/saved.ts';
import type { Engine } from './engine/engine.ts';

/** Plays each show as fast as its listener chose, in its own pitch; a station has the speed it has. */
export function keepSpeed(player: Pick<Engine, 'state' | 'subscribe'>, audio: HTMLAudioElement): void {
  audio.preservesPitch = true;
  const apply = (): void => {
    const { item } = player.state;
    const speed = item?.kind === 'topic' ? speedOf(saved.state.shows, item.showId) : 1;
    // The first is what the element begins its next sound with.
    if (audio.defaultPlaybackRate !== speed) audio.defaultPlaybackRate = speed;
    if (audio.playbackRate !== speed) audio.playbackRate = speed;
  };
  player.subscribe(apply);
  saved.subscribe(apply);
}
