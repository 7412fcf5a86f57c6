import type { ReactNode } from 'react';
import { Grip } from '../../../design/lift/Grip.tsx';
import { MovableItem } from '../../../design/lift/MovableItem.tsx';
import type { MovingItem } from '../../../design/lift/use-moving.ts';
import { Sign } from '../../../design/Sign.tsx';
import type { Preset } from '../../../session/calls/preset-calls.ts';
import { useWords } from '../../../i18n/use-words.ts';
import { PresetFace } from './PresetFace.tsx';
import styles from './PresetKeys.module.css';

interface Props {
  preset: Preset;
  moving: MovingItem;
  /** The id of the sentence that explains how to move it. */
  howId: string;
  onMore: () => void;
}

/** One button of the radio: its face plays, its grip moves it, and other actions are behind three dots. */
export function PresetKey({ preset, moving, howId, onMore }: Props): ReactNode {
  const { t } = useWords();
  return (
    <MovableItem moving={moving} className={styles['key'] ?? ''}>
      <PresetFace preset={preset} />
      <Grip
        moving={moving}
        label={t('presets.move', { name: preset.name })}
        howId={howId}
        className={styles['grip'] ?? ''}
      />
      <button
        type="button"
        className={styles['more']}
        aria-label={t('presets.more', { name: preset.name })}
        aria-haspopup="dialog"
        onClick={onMore}
      >
        <Sign name="more" size={20} />
      </button>
    </MovableItem>
  );
}
