import type { ReactNode } from 'react';
import { Button } from '../../design/Button.tsx';
import { Sign } from '../../design/Sign.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { usePlayer } from '../use-player.ts';
import styles from './Volume.module.css';

/** Left out on phones, which have keys for it. */
export function Volume(): ReactNode {
  const { t } = useWords();
  const { state, setVolume, setMuted } = usePlayer();
  const { volume, isMuted } = state;
  const isSilent = isMuted || volume === 0;
  return (
    <div className={styles['volume']}>
      <Button
        kind="bare"
        isRound
        aria-label={isMuted ? t('player.unmute') : t('player.mute')}
        onClick={() => setMuted(!isMuted)}
      >
        <Sign name={isSilent ? 'muted' : 'volume'} />
      </Button>
      <input
        type="range"
        min={0}
        max={100}
        step={5}
        value={isMuted ? 0 : Math.round(volume * 100)}
        aria-label={t('player.volume')}
        onChange={({ target }) => setVolume(Number(target.value) / 100)}
      />
    </div>
  );
}
