import { usePlayer } from '../../player/use-player.ts';
import { type Names, placeOf } from './load-map.ts';
import type { Points } from './points.ts';

/**
 * Plays a station by its number, or pauses it if it is playing. Waits for its name, so that listeners see what they
 * play.
 */
export function usePlayStation(
  points: Points | undefined,
  names: Names | undefined,
): (station: number) => void {
  const { state, play, toggle } = usePlayer();
  return (station) => {
    const id = points?.ids[station];
    const name = names?.name[station];
    if (!names || id === undefined || name === undefined) return;
    const guideId = `s${id}`;
    if (state.item?.guideId === guideId) toggle();
    else play({ kind: 'station', guideId, name, subtext: placeOf(names, station) });
  };
}
