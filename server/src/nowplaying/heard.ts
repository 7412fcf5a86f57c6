import type { SongText } from '../formats/song-text.ts';
import { type Song, type SongSource, isSameSong } from '../playing/song.ts';

/** A song as it was heard, with what else was said of it; times in milliseconds since 1970. */
export interface HeardSong extends SongText {
  source: SongSource;
  artAddress?: string | undefined;
  startedAt?: number | undefined;
  endsAt?: number | undefined;
}

/** `nothing`: no song now. `mute`: there is no place in the stream where one could be named. */
export type Heard = HeardSong | 'nothing' | 'mute';

/** A song that goes on began when it was first heard, unless somebody says when. */
export function songFrom(heard: HeardSong, before: Song | undefined, now: number): Song {
  const song = { ...heard, heardAt: now, startedAt: Math.min(heard.startedAt ?? now, now) };
  const goesOn = heard.startedAt === undefined && before !== undefined && isSameSong(song, before);
  return goesOn ? { ...song, startedAt: before.startedAt } : song;
}
