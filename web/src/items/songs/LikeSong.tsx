import type { ReactNode } from 'react';
import { Button } from '../../design/Button.tsx';
import { Sign } from '../../design/Sign.tsx';
import { isSameSong, withSong, withoutSong } from '../../saved/lists.ts';
import { saved, useSaved } from '../../saved/saved.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './LikeSong.module.css';
import { type Song, songText } from './song.ts';

interface Props {
  song: Song;
  /** Where it is heard. */
  station: { guideId: string; name: string };
  /** With a text label. */
  isLarge?: boolean;
  className?: string;
}

/** Remembers a song in this browser, or forgets it again. */
export function LikeSong({ song, station, isLarge = false, className = '' }: Props): ReactNode {
  const { t } = useWords();
  const { songs } = useSaved();
  const liked = { title: song.title, artist: song.artist ?? '' };
  const isLiked = songs.some((each) => isSameSong(each, liked));
  const entry = { ...liked, guideId: station.guideId, station: station.name };
  const change = (): Promise<void> =>
    saved.change('songs', (list) =>
      isLiked ? withoutSong(list, liked) : withSong(list, { ...entry, at: Date.now() }),
    );
  const label = t('items.likeName', { song: songText(song) });
  return (
    <Button
      kind={isLarge ? 'plain' : 'bare'}
      isRound={!isLarge}
      className={`${styles['like']} ${className}`}
      aria-pressed={isLiked}
      {...(isLarge ? {} : { 'aria-label': label, title: label })}
      onClick={() => void change()}
    >
      <Sign name="note" size={20} />
      {isLarge && t('items.likeSong')}
    </Button>
  );
}
