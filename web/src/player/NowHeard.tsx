import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Logo } from '../design/Logo.tsx';
import { LikeSong } from '../items/LikeSong.tsx';
import { type Song, songText } from '../items/song.ts';
import { usePlaying } from '../items/use-playing.ts';
import { useWords } from '../i18n/use-words.ts';
import styles from './NowHeard.module.css';
import { playerPageOf } from './page-of.ts';
import type { PlayerItem, PlayerState } from './state.ts';

/** What is playing: the station with its song, or the topic with its show. Announced when it changes. */
export function NowHeard({ item, state }: { item: PlayerItem; state: PlayerState }): ReactNode {
  const song = useSong(item, state);
  const line = useLine(item, state, song);
  const page = playerPageOf(item);
  return (
    <div className={styles['heard']}>
      <Logo
        guideId={item.address === undefined ? item.guideId : undefined}
        name={item.name}
        size={48}
        isFirst
      />
      <div className={styles['text']}>
        <p className={styles['name']} dir="auto">
          {page === undefined ? item.name : <Link href={page}>{item.name}</Link>}
        </p>
        <p className={styles['line']} dir="auto" role="status">
          {line}
        </p>
      </div>
      {song && <LikeSong song={song} station={item} className={styles['like'] ?? ''} />}
    </div>
  );
}

function useSong(item: PlayerItem, { status }: PlayerState): Song | undefined {
  const isHeardLive = item.kind === 'station' && item.address === undefined && status === 'playing';
  return usePlaying(isHeardLive ? [item.guideId] : []).get(item.guideId);
}

function useLine(
  item: PlayerItem,
  { status, isSecondTry, reason }: PlayerState,
  song: Song | undefined,
): string {
  const { t } = useWords();
  if (status === 'loading' && reason) return t('player.retrying');
  if (status === 'loading') return t(isSecondTry ? 'player.nextStream' : 'player.loading');
  if (status === 'failed') return t('player.failed');
  if (status === 'paused') return t('player.paused');
  return song ? songText(song) : (item.subtext ?? t('player.live'));
}
