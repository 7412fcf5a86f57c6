import { quotedSong, splitSong } from '../formats/icy/split-song.ts';
import { type SongText, songOf } from '../formats/song-text.ts';

/** What a playlist says of a segment: `title="First Light",artist="The Example Duo"`, or both with a dash between. */
export function segmentTitle(text: string | undefined): SongText | undefined {
  if (text === undefined) return undefined;
  const quoted = quotedSong(text);
  if (quoted) return songOf(quoted);
  // A name alone is mostly the segment's own, or the station's.
  const song = splitSong(text);
  return song?.artist === undefined ? undefined : song;
}
