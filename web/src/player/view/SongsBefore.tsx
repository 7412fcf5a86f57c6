import type { ReactNode } from 'react';
import { useWords } from '../../i18n/use-words.ts';
import { PlayedSongs } from '../../items/songs/PlayedSongs.tsx';
import { usePlayedBefore } from '../../items/songs/use-played-before.ts';
import { useNowSong } from '../now-song.ts';
import styles from './PlayerView.module.css';

/** What the station played before: what was heard here, and what the directory knows. */
export function SongsBefore({ station }: { station: { guideId: string; name: string } }): ReactNode {
  const { t } = useWords();
  const { song, before } = useNowSong();
  const songs = usePlayedBefore(station.guideId, song, before);
  return (
    <section className={styles['part']}>
      <h3>{t('station.before')}</h3>
      {songs.length > 0 ? (
        <PlayedSongs songs={songs} likedOn={station} />
      ) : (
        <p className={styles['line']}>{t('station.songUnknown')}</p>
      )}
    </section>
  );
}
