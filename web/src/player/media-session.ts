import { type Song, songText } from '../items/songs/song.ts';
import { accountPresets } from '../saved/account-presets.ts';
import { saved } from '../saved/saved.ts';
import { presetBeside, stationPresets } from '../saved/station-presets.ts';
import type { Engine } from './engine/engine.ts';
import type { NowSong } from './now-song.ts';
import type { PlayerItem, PlayerState } from './engine/state.ts';

const STEP_BACK_SECONDS = 15;
const STEP_ON_SECONDS = 30;
/** The squares that a logo is made in. */
const LOGO_SIZES = { q: 145, d: 300, g: 600 } as const;

/** Media keys of keyboards and headphones, and the lock screen of a phone: with the song, and presets to turn to. */
export function showInSystem(player: Engine, nowSong: NowSong): void {
  if (!('mediaSession' in navigator)) return;
  const { mediaSession } = navigator;
  const act = (action: MediaSessionAction, handler: MediaSessionActionHandler | null): void => {
    try {
      mediaSession.setActionHandler(action, handler);
    } catch {
      // This browser does not support the key.
    }
  };
  const isOn = (): boolean => player.state.status === 'playing' || player.state.status === 'loading';
  const turnTo = (step: 1 | -1): void => {
    const preset = presetBeside(stationPresets(), player.state.item?.guideId, step);
    if (preset) player.play(preset);
  };
  act('play', () => isOn() || player.toggle());
  act('pause', () => isOn() && player.toggle());
  act('stop', player.stop);
  let wasTopic: boolean | undefined;
  let hadPresets: boolean | undefined;
  const showKeys = (): void => {
    const { item } = player.state;
    const isTopic = item?.kind === 'topic';
    if (isTopic !== wasTopic) {
      wasTopic = isTopic;
      // A live station cannot be wound: keys that do nothing are not shown.
      act('seekbackward', isTopic ? () => player.seek(player.state.position - STEP_BACK_SECONDS) : null);
      act('seekforward', isTopic ? () => player.seek(player.state.position + STEP_ON_SECONDS) : null);
      act('seekto', isTopic ? ({ seekTime }) => player.seek(seekTime ?? player.state.position) : null);
    }
    const hasPresets = presetBeside(stationPresets(), item?.guideId, 1) !== undefined;
    if (hasPresets === hadPresets) return;
    hadPresets = hasPresets;
    act('nexttrack', hasPresets ? () => turnTo(1) : null);
    act('previoustrack', hasPresets ? () => turnTo(-1) : null);
  };
  let shown = '';
  const show = (): void => {
    const { item } = player.state;
    // Also while it is still trying: the media key must then stop it.
    mediaSession.playbackState = isOn() ? 'playing' : item ? 'paused' : 'none';
    const song = item && nowSong.state.guideId === item.guideId ? nowSong.state.song : undefined;
    const text = item ? `${item.guideId} ${item.name} ${song ? songText(song) : ''}` : '';
    if (text !== shown) mediaSession.metadata = item ? metadataOf(item, song) : null;
    if (text !== shown) showKeys();
    shown = text;
    showPosition(player.state);
  };
  player.subscribe(show);
  nowSong.subscribe(show);
  saved.subscribe(showKeys);
  accountPresets.subscribe(showKeys);
}

/** A song as the lock screen shows songs, with the station where an album would be. */
function metadataOf({ name, subtext, guideId, address }: PlayerItem, song: Song | undefined): MediaMetadata {
  const artwork = Object.entries(LOGO_SIZES).map(([letter, pixels]) => ({
    src: `/logos/${guideId}${letter}.png`,
    sizes: `${pixels}x${pixels}`,
    type: 'image/png',
  }));
  const words = song
    ? { title: song.title, artist: song.artist ?? name, album: name }
    : { title: name, artist: subtext ?? '' };
  return new MediaMetadata({ ...words, artwork: address === undefined ? artwork : [] });
}

let shownSecond: number | undefined;
/** How far a topic is, by the second; a live station has no length. */
function showPosition({ item, duration, position }: PlayerState): void {
  const isKnown = item?.kind === 'topic' && duration !== undefined && position <= duration;
  const second = isKnown ? Math.floor(position) : undefined;
  if (second === shownSecond) return;
  shownSecond = second;
  navigator.mediaSession.setPositionState(isKnown ? { duration, position } : undefined);
}
