import type { ReactNode } from 'react';
import { Logo } from '../../design/Logo.tsx';
import { LikeSong } from '../../items/songs/LikeSong.tsx';
import { useWords } from '../../i18n/use-words.ts';
import styles from './NowHeard.module.css';
import { useNowSong } from '../now-song.ts';
import type { PlayerItem, PlayerState } from '../engine/state.ts';
import { useLine } from './use-line.ts';

interface Props {
  item: PlayerItem;
  state: PlayerState;
  onOpen: () => void;
}

/**
 * What is playing: the station with its song, or the topic with its show. Announced when it changes. A press anywhere on
 * it opens the player.
 */
export function NowHeard({ item, state, onOpen }: Props): ReactNode {
  const { guideId, song: current } = useNowSong();
  const song = guideId === item.guideId && state.status === 'playing' ? current : undefined;
  const line = useLine(item, state);
  const { t } = useWords();
  return (
    <div className={styles['heard']}>
      <Logo
        guideId={item.address === undefined ? item.showId || item.guideId : undefined}
        name={item.name}
        size={48}
        isFirst
      />
      <div className={styles['text']}>
        <p className={styles['name']} dir="auto">
          <button
            type="button"
            aria-label={t('player.open', { name: item.name })}
            aria-haspopup="dialog"
            onClick={onOpen}
          >
            {item.name}
          </button>
        </p>
        <p className={styles['line']} dir="auto" role="status">
          {line}
        </p>
      </div>
      {song && <LikeSong song={song} station={item} className={styles['like'] ?? ''} />}
    </div>
  );
}
