import { type ReactNode, useMemo } from 'react';
import { useWords } from '../../i18n/use-words.ts';
import { LikeSong } from './LikeSong.tsx';
import { clockIn } from '../local-format.ts';
import styles from './PlayedSongs.module.css';
import { type Song, songText } from './song.ts';

interface Props {
  songs: readonly Song[];
  /** Whose songs can be liked here. */
  likedOn?: { guideId: string; name: string };
}

/** What a station played, the latest first, and when. */
export function PlayedSongs({ songs, likedOn }: Props): ReactNode {
  const { language } = useWords();
  const clock = useMemo(() => clockIn(language), [language]);
  return (
    <ol className={styles['songs']} data-liked={likedOn !== undefined || undefined}>
      {songs.map((song, at) => (
        <li key={`${at} ${song.title}`}>
          <time>{song.startedAt === undefined ? '' : clock.format(song.startedAt)}</time>
          <span>
            <bdi>{songText(song)}</bdi>
          </span>
          {likedOn && <LikeSong song={song} station={likedOn} />}
        </li>
      ))}
    </ol>
  );
}
