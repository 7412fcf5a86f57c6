import type { Engine } from './engine.ts';
import type { PlayerState } from './state.ts';

const STEP_BACK_SECONDS = 15;
const STEP_ON_SECONDS = 30;

/** Media keys of keyboards and headphones, and the lock screen of a phone. */
export function showInSystem(player: Engine): void {
  if (!('mediaSession' in navigator)) return;
  const { mediaSession } = navigator;
  const act = (action: MediaSessionAction, handler: MediaSessionActionHandler): void => {
    try {
      mediaSession.setActionHandler(action, handler);
    } catch {
      // This browser does not support the key.
    }
  };
  const isOn = (): boolean => player.state.status === 'playing' || player.state.status === 'loading';
  const resume = (): void => {
    if (!isOn()) player.toggle();
  };
  const pause = (): void => {
    if (isOn()) player.toggle();
  };
  act('play', resume);
  act('pause', pause);
  act('stop', player.stop);
  act('seekbackward', () => player.seek(player.state.position - STEP_BACK_SECONDS));
  act('seekforward', () => player.seek(player.state.position + STEP_ON_SECONDS));
  act('seekto', ({ seekTime }) => player.seek(seekTime ?? player.state.position));
  let shown: PlayerState['item'];
  player.subscribe(() => {
    const { item } = player.state;
    // Also while it is still trying: the media key must then stop it.
    mediaSession.playbackState = isOn() ? 'playing' : item ? 'paused' : 'none';
    if (item === shown) return;
    shown = item;
    mediaSession.metadata = item ? metadataOf(item) : null;
  });
}

function metadataOf({ name, subtext, guideId }: NonNullable<PlayerState['item']>): MediaMetadata {
  const artwork = [{ src: `/logos/${guideId}d.png`, type: 'image/png' }];
  return new MediaMetadata({ title: name, artist: subtext ?? '', artwork });
}
