import type { ReactNode } from 'react';
import { useWords } from '../../i18n/use-words.ts';
import { LikeSong } from '../../items/songs/LikeSong.tsx';
import type { Song } from '../../items/songs/song.ts';
import { useNowSong } from '../now-song.ts';
import type { PlayerItem, PlayerState } from '../engine/state.ts';
import { useLine } from './use-line.ts';
import styles from './PlayerView.module.css';

/** The song, large, or what the bar says; and how it comes here where that is not the usual way. */
export function NowInView({ item, state }: { item: PlayerItem; state: PlayerState }): ReactNode {
  const { t } = useWords();
  const { guideId, song: current } = useNowSong();
  const song = guideId === item.guideId && state.status === 'playing' ? current : undefined;
  const line = useLine(item, state);
  return (
    <div className={styles['now']}>
      <div role="status">{song ? <SongWords song={song} /> : <p className={styles['line']}>{line}</p>}</div>
      {song && <LikeSong song={song} station={item} isLarge />}
      {state.stream?.isRelayed && <p className={styles['note']}>{t('player.relayedText')}</p>}
    </div>
  );
}

function SongWords({ song: { title, artist } }: { song: Song }): ReactNode {
  return (
    <>
      <p className={styles['title']}>
        <bdi>{title}</bdi>
      </p>
      {artist !== undefined && (
        <p className={styles['line']}>
          <bdi>{artist}</bdi>
        </p>
      )}
    </>
  );
}
