import { type ReactNode, useSyncExternalStore } from 'react';
import { Button } from '../../design/Button.tsx';
import { Sign } from '../../design/Sign.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { accountPresets } from '../../saved/account-presets.ts';
import { useSaved } from '../../saved/saved.ts';
import { presetBeside, stationPresets } from '../../saved/station-presets.ts';
import type { PlayerItem } from '../engine/state.ts';
import { isOn, usePlayer } from '../use-player.ts';
import styles from './PlayerView.module.css';

/** Play, and the presets to either side. */
export function Transport(): ReactNode {
  const { t } = useWords();
  const { state, toggle } = usePlayer();
  // Again when either list changes.
  useSaved();
  useSyncExternalStore(accountPresets.subscribe, () => accountPresets.current);
  const presets = stationPresets();
  const guideId = state.item?.guideId;
  const isPlaying = isOn(state);
  return (
    <div className={styles['transport']}>
      <Turn label={t('player.previousPreset')} preset={presetBeside(presets, guideId, -1)} isBack />
      <Button
        kind="main"
        isRound
        className={styles['play'] ?? ''}
        aria-label={isPlaying ? t('player.pause') : t('player.playName', { name: state.item?.name ?? '' })}
        onClick={toggle}
      >
        <Sign name={isPlaying ? 'pause' : 'play'} size={30} />
      </Button>
      <Turn label={t('player.nextPreset')} preset={presetBeside(presets, guideId, 1)} />
    </div>
  );
}

interface TurnProps {
  label: string;
  preset: PlayerItem | undefined;
  isBack?: boolean;
}

function Turn({ label, preset, isBack = false }: TurnProps): ReactNode {
  const { play } = usePlayer();
  const name = preset ? `${label}: ${preset.name}` : label;
  return (
    <Button
      kind="bare"
      isRound
      className={styles[isBack ? 'back' : 'on'] ?? ''}
      aria-label={name}
      title={name}
      disabled={!preset}
      onClick={() => preset && play(preset)}
    >
      <Sign name="skip" />
    </Button>
  );
}
