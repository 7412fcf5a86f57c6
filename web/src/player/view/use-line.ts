import { songText } from '../../items/songs/song.ts';
import { useWords } from '../../i18n/use-words.ts';
import { useNowSong } from '../now-song.ts';
import type { PlayerItem, PlayerState } from '../engine/state.ts';

/** What is heard, or why nothing is, in one line. */
export function useLine(item: PlayerItem, state: PlayerState): string {
  const { t } = useWords();
  const { guideId, song } = useNowSong();
  const { status, isSecondTry, isOffline, reason, stream } = state;
  if (status === 'loading' && isOffline) return t('player.offline');
  if (status === 'loading' && reason) return t('player.retrying');
  if (status === 'loading') return t(isSecondTry ? 'player.nextStream' : 'player.loading');
  if (status === 'failed') return t('player.failed');
  if (status === 'paused') return t('player.paused');
  const isKnown = song && guideId === item.guideId;
  const line = isKnown ? songText(song) : (item.subtext ?? t('player.live'));
  return stream?.isRelayed ? `${line} · ${t('player.relayed')}` : line;
}
