import type { ReactNode } from 'react';
import { Dial } from '../../design/Dial.tsx';
import { dialPlace } from '../../design/dial-place.ts';
import { usePlayer } from '../../player/use-player.ts';

/** The scale above the keys: its needle points to what is playing, and rests at the end otherwise. */
export function PresetDial(): ReactNode {
  const { item } = usePlayer().state;
  return <Dial at={item ? dialPlace(item.guideId) : 0} />;
}
