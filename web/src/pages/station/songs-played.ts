import type { Outline } from '@longwave/client';
import type { Song } from '../../items/song.ts';

/** As many as are worth a look; the directory knows more. */
const MOST = 12;

/** The lines of `c=playlist`, their times on a clock so many minutes ahead of UTC; what says that there are none is no song. */
export const readPlayed = (outlines: readonly Outline[], offsetMinutes: number): Song[] =>
  outlines.flatMap(({ text, subtext, start }) => {
    const startedAt = Date.parse(`${start}Z`) - offsetMinutes * 60_000;
    return Number.isNaN(startedAt) ? [] : [{ title: text, artist: subtext || undefined, startedAt }];
  });

const isSame = (one: Song, other: Song): boolean => one.title === other.title && one.artist === other.artist;

/** The latest first: those heard on this page, then those the directory told; nothing twice, and not what plays now. */
export function playedBefore(now: Song | undefined, heard: readonly Song[], told: readonly Song[]): Song[] {
  const played: Song[] = [];
  for (const song of [...heard, ...told]) {
    const last = played.at(-1);
    if ((played.length === 0 && now && isSame(song, now)) || (last && isSame(song, last))) continue;
    played.push(song);
  }
  return played.slice(0, MOST);
}
