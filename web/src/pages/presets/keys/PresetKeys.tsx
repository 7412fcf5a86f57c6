import { type ReactNode, useId } from 'react';
import { Dial } from '../../../design/Dial.tsx';
import { dialPlace } from '../../../design/dial-place.ts';
import { moved } from '../../../design/lift/order.ts';
import { useMoving } from '../../../design/lift/use-moving.ts';
import { usePlayer } from '../../../player/use-player.ts';
import type { Folder, Preset } from '../../../session/calls/preset-calls.ts';
import { useWords } from '../../../i18n/use-words.ts';
import { PresetKey } from './PresetKey.tsx';
import styles from './PresetKeys.module.css';

interface Props {
  folder: Folder;
  onOrder: (ids: readonly string[]) => void;
  onMore: (preset: Preset) => void;
}

/**
 * A folder as the buttons of a radio. A key is dragged to its place, or picked up, moved and dropped by the keyboard.
 */
export function PresetKeys({ folder, onOrder, onMore }: Props): ReactNode {
  const { t } = useWords();
  const { presets } = folder;
  const id = useId();
  const { list, isLifting, said, itemAt } = useMoving<HTMLOListElement>(
    presets.map(({ name }) => name),
    (from, to) => onOrder(moved(presets, from, to).map((preset) => preset.id)),
  );
  return (
    <>
      <p id={id} className="heard-only">
        {t('presets.moveHow')}
      </p>
      <p className="heard-only" role="status" aria-live="assertive">
        {said}
      </p>
      <div className={styles['front']}>
        <PresetDial />
        <ol ref={list} className={styles['keys']} data-lifting={isLifting || undefined}>
          {presets.map((preset, at) => (
            <PresetKey
              key={preset.id}
              preset={preset}
              moving={itemAt(at)}
              howId={id}
              onMore={() => onMore(preset)}
            />
          ))}
        </ol>
      </div>
    </>
  );
}

/** The scale above the keys: its needle points to what is playing, and rests at the end otherwise. */
function PresetDial(): ReactNode {
  const { item } = usePlayer().state;
  return <Dial at={item ? dialPlace(item.guideId) : 0} />;
}
