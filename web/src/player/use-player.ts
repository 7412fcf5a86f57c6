import { useSyncExternalStore } from 'react';
import type { Engine } from './engine/engine.ts';
import { player } from './player.ts';
import type { PlayerState } from './engine/state.ts';

type Commands = Pick<Engine, 'play' | 'toggle' | 'stop' | 'setVolume' | 'setMuted' | 'sleepIn' | 'seek'>;

export interface Player extends Commands {
  /** As of the last change of anything but the position; for that, see `usePosition`. */
  state: PlayerState;
}

/** Keeps the controls from rendering again with every change of the position, four times a second. */
let steady = player.state;
function steadyState(): PlayerState {
  const { state } = player;
  if (Object.entries(steady).some(([name, value]) => name !== 'position' && state[nameOf(name)] !== value))
    steady = state;
  return steady;
}

// oxlint-disable-next-line no-unsafe-type-assertion -- the names are those of a state
const nameOf = (name: string): keyof PlayerState => name as keyof PlayerState;

export function usePlayer(): Player {
  const state = useSyncExternalStore(player.subscribe, steadyState);
  const { play, toggle, stop, setVolume, setMuted, sleepIn, seek } = player;
  return { state, play, toggle, stop, setVolume, setMuted, sleepIn, seek };
}

/** Whether something plays, or is about to. */
export const isOn = ({ status }: Pick<PlayerState, 'status'>): boolean =>
  status === 'playing' || status === 'loading';

/** The status of this item; undefined while nothing or another is playing. Of a long list only two lines re-render. */
export const useStatusOf = (guideId: string | undefined): PlayerState['status'] | undefined =>
  useSyncExternalStore(player.subscribe, () =>
    player.state.item !== undefined && player.state.item.guideId === guideId
      ? player.state.status
      : undefined,
  );

/** In whole seconds. */
export const usePosition = (): number =>
  useSyncExternalStore(player.subscribe, () => Math.floor(player.state.position));
