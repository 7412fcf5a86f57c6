import type { Item } from '../item.ts';
import { songText } from '../songs/song.ts';
import type { Songs } from '../songs/use-playing.ts';

/** The line under a name: the song being watched, else the list's text; '' where the list's song is over. */
export function underName({ guideId = '', subtext, song }: Item, songs: Songs): string | undefined {
  const heard = songs.get(guideId);
  if (heard) return songText(heard);
  return song !== undefined && songs.has(guideId) ? '' : subtext;
}
