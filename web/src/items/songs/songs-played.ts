import type { Outline } from '@longwave/client';
import type { Song } from './song.ts';

/** As many as are worth a look; the directory knows more. */
const MAX = 12;

/**
 * The lines of `c=playlist`, in local time `offsetMinutes` ahead of UTC; the line that says there are none is not a
 * song.
 */
export const readPlayed = (outlines: readonly Outline[], offsetMinutes: number): Song[] =>
  outlines.flatMap(({ text, subtext, start }) => {
    const startedAt = Date.parse(`${start}Z`) - offsetMinutes * 60_000;
    return Number.isNaN(startedAt) ? [] : [{ title: text, artist: subtext || undefined, startedAt }];
  });

const isSame = (one: Song, other: Song): boolean => one.title === other.title && one.artist === other.artist;

/** The latest first: those heard on this page, then the directory's; without duplicates and the current song. */
export function playedBefore(now: Song | undefined, heard: readonly Song[], given: readonly Song[]): Song[] {
  const played: Song[] = [];
  for (const song of [...heard, ...given]) {
    const last = played.at(-1);
    if ((played.length === 0 && now && isSame(song, now)) || (last && isSame(song, last))) continue;
    played.push(song);
  }
  return played.slice(0, MAX);
}
