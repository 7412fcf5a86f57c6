import { useSyncExternalStore } from 'react';
import { followPlaying } from '../items/songs/follow-playing.ts';
import type { Song } from '../items/songs/song.ts';
import type { Engine } from './engine/engine.ts';
import type { PlayerState } from './engine/state.ts';

/** More than an hour of songs. */
const MAX_BEFORE = 30;

interface NowPlaying {
  /** Of which station. */
  readonly guideId: string | undefined;
  readonly song: Song | undefined;
  /** Those that were heard on this page before it, the latest first. */
  readonly before: readonly Song[];
}

const NOTHING: NowPlaying = { guideId: undefined, song: undefined, before: [] };

/** The song of the station that plays: for the bar, the lock screen and the list of what was heard, asked for once. */
export class NowSong {
  #state = NOTHING;
  #followed: string | undefined;
  #stop: (() => void) | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #follow: typeof followPlaying;

  constructor(follow = followPlaying) {
    this.#follow = follow;
  }

  get state(): NowPlaying {
    return this.#state;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  of(player: Pick<Engine, 'state' | 'subscribe'>): void {
    player.subscribe(() => this.#heard(player.state));
  }

  #heard(state: PlayerState): void {
    const station = stationOf(state);
    if (station !== undefined && station !== this.#state.guideId) this.#set({ ...NOTHING, guideId: station });
    // Also while a gap is waited for; what is on elsewhere, or when nobody listens, is not.
    const isOn = state.status === 'playing' || state.status === 'loading';
    const wanted = isOn ? station : undefined;
    if (wanted === this.#followed) return;
    this.#stop?.();
    this.#followed = wanted;
    this.#stop = wanted === undefined ? undefined : this.#follow(wanted, (_id, song) => this.#update(song));
  }

  #update(song: Song | undefined): void {
    const { song: last, before } = this.#state;
    if (song?.title === last?.title && song?.artist === last?.artist) return;
    this.#set({ ...this.#state, song, before: last ? [last, ...before].slice(0, MAX_BEFORE) : before });
  }

  #set(state: NowPlaying): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

const stationOf = ({ item }: PlayerState): string | undefined =>
  item?.kind === 'station' && item.address === undefined ? item.guideId : undefined;

export const nowSong = new NowSong();

/** Undefined while the station is paused, or tells no song. */
export const useNowSong = (): NowPlaying => useSyncExternalStore(nowSong.subscribe, () => nowSong.state);
