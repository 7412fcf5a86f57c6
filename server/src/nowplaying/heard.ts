import type { SongText } from '../formats/song-text.ts';
import { LONGEST_SONG_MS, type Song, type SongSource, isSameSong } from '../playing/song.ts';

/** A song as it was heard, with what else was said of it; times in milliseconds since 1970. */
export interface HeardSong extends SongText {
  source: SongSource;
  artAddress?: string | undefined;
  startedAt?: number | undefined;
  endsAt?: number | undefined;
}

/** `nothing`: no song now. `mute`: there is no place in the stream where one could be named. */
export type Heard = HeardSong | 'nothing' | 'mute';

/** A song that goes on began when it was first heard, unless somebody says when, by a clock that is not ahead. */
export function songFrom(heard: HeardSong, before: Song | undefined, now: number): Song {
  const { startedAt, endsAt, ...song } = { ...heard, heardAt: now };
  const goesOn = isSameSong({ ...song, startedAt: now }, before);
  const firstHeard = (goesOn ? before?.startedAt : undefined) ?? now;
  const aheadMs = startedAt !== undefined && startedAt > now ? startedAt - firstHeard : 0;
  const end = (endsAt ?? Infinity) - aheadMs;
  const isSane = end <= now + LONGEST_SONG_MS;
  return { ...song, startedAt: (startedAt ?? firstHeard) - aheadMs, ...(isSane && { endsAt: end }) };
}
