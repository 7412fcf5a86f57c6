import type { ReactNode } from 'react';
import { Button } from '../../design/Button.tsx';
import { Dial } from '../../design/Dial.tsx';
import { dialPlace } from '../../design/dial-place.ts';
import { Sign } from '../../design/Sign.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { clockText } from './clock-text.ts';
import styles from './PlayerDial.module.css';
import { Speed } from './Speed.tsx';
import type { PlayerItem } from '../engine/state.ts';
import { usePlayer, usePosition } from '../use-player.ts';

/** For a station, its position on the dial; for a topic, the seek bar. */
export function PlayerDial({ item }: { item: PlayerItem }): ReactNode {
  const { state } = usePlayer();
  if (item.kind === 'topic' && state.duration !== undefined)
    return <TopicDial duration={state.duration} showId={item.showId} />;
  return (
    <div className={styles['station']}>
      <Dial at={state.status === 'loading' ? undefined : dialPlace(item.guideId)} />
    </div>
  );
}

const BACK_SECONDS = 15;
const ON_SECONDS = 30;

function TopicDial({ duration, showId }: { duration: number; showId: string | undefined }): ReactNode {
  const { t } = useWords();
  const { seek } = usePlayer();
  const position = Math.min(usePosition(), duration);
  return (
    <div className={styles['topic']}>
      <Button kind="bare" isRound aria-label={t('player.back')} onClick={() => seek(position - BACK_SECONDS)}>
        <Sign name="back" size={20} />
      </Button>
      <span className={styles['time']}>{clockText(position)}</span>
      <span className={styles['track']}>
        <Dial at={duration > 0 ? position / duration : 0} />
        <input
          type="range"
          min={0}
          max={Math.floor(duration)}
          value={position}
          aria-label={t('player.position')}
          aria-valuetext={`${clockText(position)} / ${clockText(duration)}`}
          onChange={({ target }) => seek(Number(target.value))}
        />
      </span>
      <span className={styles['time']}>{clockText(duration)}</span>
      <Button
        kind="bare"
        isRound
        aria-label={t('player.forward')}
        onClick={() => seek(position + ON_SECONDS)}
      >
        <Sign name="forward" size={20} />
      </Button>
      {showId !== undefined && showId !== '' && <Speed showId={showId} />}
    </div>
  );
}
